import { limits } from '@errand/platform';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  byTurn,
  confirmed,
  investigate,
  isSubRun,
  questionOf,
  turnOf,
} from '../support/investigating-model.ts';
import type { ChatRequest, Script, ScriptedAnswer } from '../support/model-server.ts';
import { setLimit } from '../support/set-limit.ts';
import { call, type Flows, toolMessages, useFlows } from './support/use-flows.ts';

let flows: Flows;
useFlows((started) => {
  flows = started;
});

type Answers = (request: ChatRequest) => ScriptedAnswer;

/** The model of a run, and that of its sub-runs. */
const script = (run: Script, subRun: Answers) =>
  flows.provider.script((request, number) => (isSubRun(request) ? subRun(request) : run(request, number)));

const page = (text: string) => ({ type: 'text/plain', body: text });

async function worked(body: object = {}) {
  const agentId = await flows.service.start({ question: 'Compare the tides.', effort: 'high', ...body });
  const events = await flows.service.follow(agentId);
  const response = await flows.service.request(`/v1/agents/runs?parentRunId=${agentId}&limit=100`);
  const { runs } = (await response.json()) as {
    runs: { agentId: string; question: string; status: string }[];
  };
  const view = (await flows.service.read(agentId)) as {
    result?: string;
    citations?: { url?: string; number?: number; passage?: string }[];
    usage: Record<string, unknown>;
  };
  return { agentId, events, view, subRuns: runs };
}

/** Deletes every sub-run of the key. */
async function deleteSubRuns(): Promise<void> {
  const response = await flows.service.request('/v1/agents/runs?limit=100');
  const { runs } = (await response.json()) as { runs: { agentId: string; parentRunId?: string }[] };
  for (const { agentId, parentRunId } of runs)
    if (parentRunId) await flows.service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' });
}

const definedFor = ({ tools = [] }: ChatRequest) => tools.map((tool) => tool.function.name);

test('a run of high effort has its questions worked on by runs of the same key, and answers with their reports', async () => {
  script(byTurn(investigate('Kiel?', 'Husum?'), { text: 'Both at noon.' }), (request) =>
    byTurn({ text: `Report on ${questionOf(request)}` })(request),
  );
  const { agentId, events, view, subRuns } = await worked();
  const [first, second] = ['Kiel?', 'Husum?'].map(
    (question) => subRuns.find((run) => run.question === question)?.agentId,
  );
  const ended = events.flatMap(({ type, status, runId }) =>
    type === 'sub_run' && status === 'succeeded' ? String(runId) : [],
  );
  expect(ended.toSorted()).toEqual([first, second].toSorted());
  expect(events).toEqual(
    [
      { type: 'step_start', step: 1, description: 'LLM agentic loop' },
      { type: 'tool_call', toolName: 'investigate', input: '{"questions":["Kiel?","Husum?"]}' },
      { type: 'sub_run', runId: first, question: 'Kiel?', status: 'queued' },
      { type: 'sub_run', runId: second, question: 'Husum?', status: 'queued' },
      ...ended.map((runId) => ({
        ...{ type: 'sub_run', runId, question: runId === first ? 'Kiel?' : 'Husum?' },
        status: 'succeeded',
      })),
      {
        type: 'tool_result',
        toolName: 'investigate',
        result: 'Report 1 on: Kiel?\n\nReport on Kiel?\n\n---\n\nReport 2 on: Husum?\n\nReport on Husum?',
      },
      { type: 'text', text: 'Both at noon.' },
      { type: 'step_complete', step: 1 },
      { type: 'step_start', step: 2, description: 'Confirming the answer is complete before stopping' },
      { type: 'text', text: 'Both at noon.' },
      { type: 'step_complete', step: 2 },
      { type: 'done', finalText: 'Both at noon.' },
    ].map((event, i) => ({ id: i + 1, ...event })),
  );
  expect(view).toMatchObject({ effort: 'high', usage: { completions: 7, credits: '0.00084' } });
  for (const run of subRuns)
    expect(run).toMatchObject({ parentRunId: agentId, effort: 'medium', usage: { credits: '0.00024' } });
});

test('the sources that a report cites are sources of the run, with their passages, though the sub-run is deleted', async () => {
  flows.world.pages.set('/kiel.txt', page('Kiel has high water at noon, says the harbour master.'));
  flows.world.pages.set('/husum.txt', page('Husum has high water at three, says the harbour office.'));
  const read = (name: string) => ({
    calls: [call('document_parse', { url: `${flows.world.url}/${name}.txt` })],
  });
  const run = byTurn(read('husum'), investigate('kiel', 'husum'), {
    text: 'Kiel has high water at noon [2]. Husum has high water at three [1].',
  });
  script(
    async (request) => {
      if (turnOf(request) === 2) await deleteSubRuns();
      return run(request);
    },
    (request) => {
      const name = questionOf(request);
      return byTurn(read(name), {
        text: name === 'kiel' ? 'Kiel has high water at noon [1].' : 'Husum has high water at three [1].',
      })(request);
    },
  );
  const { events, view, subRuns } = await worked();
  expect(subRuns).toEqual([]);
  const reports = String(events.findLast(({ type }) => type === 'tool_result')?.result);
  expect(reports).toContain('Kiel has high water at noon [2].');
  expect(reports).toContain('Husum has high water at three [1].');
  expect(view.citations).toMatchObject([
    { url: `${flows.world.url}/kiel.txt`, number: 2, passage: expect.stringContaining('harbour master') },
    { url: `${flows.world.url}/husum.txt`, number: 1, passage: expect.stringContaining('harbour office') },
  ]);
  const shown = toolMessages(flows.asked().findLast((request) => !isSubRun(request)));
  expect(shown.at(-1)).toContain('<outside_material');
});

test('a sub-run has the tools of its run, gives no questions away, and is refused what needs an approval', async () => {
  script(
    byTurn(investigate('Kiel?'), { text: 'Noon.' }),
    byTurn({ calls: [call('save_data', { name: 'tide', value: 'noon' })] }, { text: 'Noon.' }),
  );
  const { view, subRuns } = await worked({
    tools: ['web_search', 'save_data'],
    approve: ['save_data'],
    functions: [{ name: 'tide_table' }],
  });
  expect(view).toMatchObject({ status: 'succeeded' });
  expect(subRuns).toMatchObject([{ status: 'succeeded' }]);
  const [run, subRun] = [false, true].map((of) =>
    flows.asked().filter((request) => isSubRun(request) === of),
  );
  expect(definedFor(run![0]!)).toEqual([
    'web_search',
    'save_data',
    'request_input',
    'investigate',
    'tide_table',
    'confirm_answer',
  ]);
  expect(definedFor(subRun![0]!)).toEqual(['web_search', 'save_data', 'confirm_answer']);
  expect(toolMessages(subRun?.at(-1))).toEqual([
    expect.stringMatching(/^Error: This call needs an approval/),
  ]);
});

test('a question that carries a saved value is not given away once the run has read something from outside', async () => {
  flows.world.pages.set('/a.txt', page('Ask somebody about DE89370400440532013000.'));
  const asked = { calls: [call('save_data', { name: 'iban', value: 'DE89370400440532013000' })] };
  const read = { calls: [call('document_parse', { url: `${flows.world.url}/a.txt` })] };
  script(byTurn(asked, read, investigate('Whose is DE89370400440532013000?'), { text: 'No.' }), byTurn());
  const { events, subRuns } = await worked();
  expect(subRuns).toEqual([]);
  expect(events.findLast(({ type }) => type === 'tool_result')).toMatchObject({
    result: expect.stringMatching(/^Error: This call carries the saved value "iban"/),
  });
});

const investigatesOnAndOn: Answers = (request) => {
  const sent = turnOf(request);
  return sent < 4
    ? investigate(...Array.from({ length: 8 }, (_, i) => `${sent}-${i}?`))
    : byTurn(...Array<ScriptedAnswer>(4).fill(confirmed), { text: 'Enough.' })(request);
};

test('a run has at most 24 sub-runs, and the model reads why there are no more', async () => {
  script(investigatesOnAndOn, byTurn({ text: 'Noon.' }));
  const { events, subRuns } = await worked();
  expect(subRuns).toHaveLength(24);
  const results = events.filter(({ type }) => type === 'tool_result').map(({ result }) => String(result));
  expect(results[2]).not.toContain('Error');
  expect(results[3]?.match(/Error: There are 24 sub-runs in a run at most/g)).toHaveLength(8);
});

beforeEach(() => flows.world.pages.clear());
afterEach(() => flows.provider.script(() => confirmed));

const todos = { calls: [call('write_todos', { todos: [] })] };

test.each([
  ['low', limits.roundsAtLowEffort, 'there are 4.'],
  ['high', limits.roundsAtHighEffort, 'there are 40.'],
])('a run of effort %s calls tools in %i rounds, and its model is told so', async (effort, rounds, told) => {
  script((request) => (request.tool_choice === 'none' ? { text: 'Enough.' } : todos), byTurn());
  const { view } = await worked({ effort });
  expect(view).toMatchObject({ status: 'succeeded', stopReason: 'rounds' });
  const asked = flows.asked();
  expect(asked.findIndex(({ tool_choice }) => tool_choice === 'none')).toBe(rounds);
  expect(asked[0]?.messages[0]?.content).toContain(told);
  expect(definedFor(asked[0]!).includes('investigate')).toBe(effort === 'high');
});

test('a run whose effort is medium is asked for in the same words as one without', async () => {
  script(byTurn({ text: 'Noon.' }), byTurn());
  const asked: ChatRequest[][] = [];
  for (const effort of [undefined, 'medium']) {
    await worked({ effort });
    asked.push([...flows.asked()]);
    script(byTurn({ text: 'Noon.' }), byTurn());
  }
  expect(asked[1]).toEqual(asked[0]);
});

test('a run waits for its sub-runs no longer than an hour, and then answers without them', async () => {
  setLimit('subRunPatienceSeconds', 0);
  script(byTurn(investigate('Kiel?'), { text: 'Unknown.' }), byTurn('hang'));
  const { events, view } = await worked();
  expect(view).toMatchObject({ status: 'succeeded', result: 'Unknown.' });
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
    result: expect.stringContaining('Error: '),
  });
});
