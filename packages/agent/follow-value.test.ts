import { expect, test } from 'vitest';
import type { AgentInput } from './conversation.ts';
import type { CompletionRequest } from './deps.ts';
import { followRun } from './follow.ts';
import type { AgentState } from './state.ts';
import { bridgeInput, found, page, readPage, right, schemaOf, wrong } from './test-support/bridge-value.ts';
import { collect, makeAgent, type Scripted, takenOver } from './test-support/scripted-agent.ts';

const confirm: Scripted = { calls: [['confirm_answer', {}]] };
const agentOf = (...answers: Scripted[]) => makeAgent((_, number) => answers[number - 1] ?? confirm, [page]);

/** The state with which another run begins that goes on from one that was stopped there. */
const goOn = (state: AgentState) =>
  takenOver(followRun({ input: bridgeInput, state }, { place: 1, coming: {}, now: 0 }).state);

async function stoppedWhere(isIt: (state: AgentState) => boolean): Promise<AgentState> {
  const all = await collect(agentOf(readPage, found, wrong, right).deps, bridgeInput);
  return takenOver(all.find(({ state }) => isIt(state))!.state);
}

const isRepairing = (state: AgentState) => 'writing' in state && state.writing?.repairs === 1;
const isChecking = (state: AgentState) => state.phase === 'think' && state.part === 'check';
const again: AgentInput = { ...bridgeInput, continues: true };
const lastWords = ({ messages }: CompletionRequest) => messages.at(-1)?.content;

test('a run that goes on from one that was stopped in a repair writes its value', async () => {
  const { deps, requests } = agentOf(right);
  const all = await collect(deps, again, goOn(await stoppedWhere(isRepairing)));
  expect(lastWords(requests[0]!)).toMatch(/^The result does not fit its schema/);
  expect(all.at(-1)).toMatchObject({ basis: [{}, {}], citations: [{}, {}] });
  expect(all.at(-1)?.events.at(-1)).toMatchObject({ finalText: '{"name":"Iron Bridge","metres":60}' });
});

test('another question after such a run does not ask for its value', async () => {
  const { deps, requests } = agentOf({ text: 'It is red.' });
  const all = await collect(deps, { question: 'Which colour?' }, goOn(await stoppedWhere(isRepairing)));
  expect(requests[0]!.messages.slice(-2)).toEqual([
    { role: 'assistant', content: wrong.text },
    { role: 'user', content: 'Which colour?' },
  ]);
  expect(all.at(-1)?.events.at(-1)).toMatchObject({ finalText: 'It is red.' });
});

test('a run that goes on from one that was stopped in its check goes on with the check', async () => {
  const { deps, requests } = agentOf();
  const all = await collect(deps, again, goOn(await stoppedWhere(isChecking)));
  expect(requests).toHaveLength(1);
  expect(all.at(-1)?.events.at(-1)).toMatchObject({ finalText: '{"name":"Iron Bridge","metres":60}' });
});

test('with another schema it writes another value', async () => {
  const outputSchema = schemaOf({
    type: 'object',
    properties: { length: { type: 'string' } },
    required: ['length'],
  });
  const other = { text: '{"value":{"length":"60 m"},"sources":[{"pointer":"","numbers":[1]}]}' };
  const { deps } = agentOf(other);
  const all = await collect(deps, { ...again, outputSchema }, goOn(await stoppedWhere(isChecking)));
  expect(all.at(-1)?.events.at(-1)).toMatchObject({ finalText: '{"length":"60 m"}' });
});

test('a run that has lost what a release without schemas does not store ends with a value that fits, or fails', async () => {
  const all = await collect(agentOf(readPage, found, wrong, right).deps, bridgeInput);
  for (const { state } of all.slice(0, -1)) {
    const { writing: _, fits: __, ...kept } = takenOver(state) as AgentState & Record<string, unknown>;
    const ended = await collect(agentOf(right).deps, bridgeInput, kept as unknown as AgentState);
    expect(ended.at(-1)?.events.at(-1)).toMatchObject({ finalText: '{"name":"Iron Bridge","metres":60}' });
  }
  const prose = takenOver(all.find(({ state }) => isChecking(state))!.state) as AgentState & {
    answer: string;
  };
  const { fits: _, ...answered } = { ...prose, answer: 'It is 60 m long.' } as typeof prose & { fits?: true };
  const ended = await collect(agentOf().deps, bridgeInput, answered as AgentState);
  expect(ended.at(-1)).toMatchObject({ events: [{ type: 'error' }], state: { stopReason: 'schema' } });
});
