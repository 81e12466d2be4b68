import { expect, test } from 'vitest';
import type { ChatRequest, ScriptedAnswer } from '../support/model-server.ts';
import { call, type Flows, useFlows } from './support/use-flows.ts';

let flows: Flows;
useFlows((started) => (flows = started));

const saidTo = ({ messages }: ChatRequest, role: string): string =>
  String(messages.find((message) => message.role === role)?.content);

const isSubRun = (request: ChatRequest): boolean =>
  saidTo(request, 'system').startsWith('You work on one part');

/** The parent's model answers in this order, then confirms. Sub-runs answer by their question. */
function script(
  parent: ScriptedAnswer[],
  subRun: (question: string, request: ChatRequest) => ScriptedAnswer,
) {
  let number = 0;
  flows.provider.script((request) => {
    if (isSubRun(request)) return subRun(saidTo(request, 'user'), request);
    return parent[number++] ?? { calls: [call('confirm_answer', {})] };
  });
}

const investigate = (...questions: string[]) => ({ calls: [call('investigate', { questions })] });
const done = { calls: [call('confirm_answer', {})] };

async function runAll(body: object = {}) {
  const agentId = await flows.service.start({ question: 'Compare the tides.', effort: 'high', ...body });
  const events = await flows.service.follow(agentId);
  const response = await flows.service.request(`/v1/agents/runs?parentRunId=${agentId}`);
  const { runs } = (await response.json()) as { runs: Record<string, unknown>[] };
  return { agentId, events, view: await flows.service.read(agentId), subRuns: runs };
}

test('a run of high effort has questions worked on by sub-runs, and answers with their reports', async () => {
  const seen: ChatRequest[] = [];
  script([investigate('Kiel?', 'Husum?'), { text: 'Both at noon.' }], (question, request) => {
    seen.push(request);
    return request.messages.at(-1)?.role === 'user' &&
      !String(request.messages.at(-1)?.content).startsWith('Before')
      ? { text: `Report for ${question}` }
      : done;
  });
  const { agentId, events, view, subRuns } = await runAll();
  console.log(JSON.stringify(events, null, 1), JSON.stringify(view), JSON.stringify(subRuns, null, 1));
  expect(view).toMatchObject({ status: 'succeeded', effort: 'high', result: 'Both at noon.' });
  expect(subRuns.map((run) => [run.question, run.status, run.parentRunId])).toEqual(
    expect.arrayContaining([
      ['Kiel?', 'succeeded', agentId],
      ['Husum?', 'succeeded', agentId],
    ]),
  );
});
