import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { continueNote } from './conversation.ts';
import { initialState } from './state.ts';
import { collect, makeAgent, takenOver } from './test-support/scripted-agent.ts';
import { defineTool } from './tool.ts';

const page = defineTool({
  sends: 'nothing',
  name: 'page',
  description: 'Reads a page.',
  parameters: v.object({}),
  timeoutMilliseconds: 1_000,
  run: async () => ({
    text: '[1] noon',
    cited: {
      sources: [{ kind: 'result' as const, url: 'https://x/', snippet: 'noon' }],
      text: ([number]: readonly number[]) => `[${number}] noon`,
    },
  }),
});

/** The states of a run that goes through every phase, also those in which a run is left that is stopped. */
async function statesOf() {
  const { deps } = makeAgent(
    (_, number) => {
      if (number === 1) return { calls: [['page', {}]] };
      if (number === 2) return { text: 'It is ', finish: 'length' };
      return number === 3 ? { text: 'noon [1].' } : { calls: [['confirm_answer', {}]] };
    },
    [page],
  );
  const all = await collect(deps, { question: 'q', audioUrl: 'https://x/a.mp3' });
  return all.flatMap(({ state, alone }) => (alone ? [alone.state, state] : [state]));
}

/** A state as the release of 2026-11-22 stored it. */
const earlier = {
  phase: 'loop',
  step: 2,
  stepOpen: true,
  rounds: 1,
  completions: 1,
  forced: [{ tool: 'vision', imageUrl: 'https://x/p.png' }],
  readings: ['a cat'],
  outsideSince: 0,
  knownValues: ['iban'],
  fetched: { bytes: 3, hosts: ['x'] },
  sources: [{ number: 1, kind: 'image', url: 'https://x/p.png', snippet: 'a cat' }],
  savedFiles: { 'a.txt': 2 },
  savedOutside: ['pin'],
  messages: [{ role: 'user', content: 'q' }],
  calls: [],
  announced: 0,
  answer: '',
  leftOut: { c0: 9 },
  waiting: { sinceMilliseconds: 1, pauses: 2, pausedMilliseconds: 3 },
};
const call = { id: 'c0', type: 'function', function: { name: 'page', arguments: '{}' } };
const { phase: _, stepOpen: __, forced, calls: ___, announced: ____, answer: _____, ...kept } = earlier;
const { messages, rounds, leftOut, ...run } = kept;
const read = (changes: object) => readCheckpoint(JSON.stringify({ ...earlier, ...changes }));

describe('a state that the release of 2026-11-22 stored is read as', () => {
  const checked = {
    part: 'check',
    answer: 'Noon [1].',
    stopReason: 'rounds',
    proven: { a: 1 },
    proofPasses: 1,
  };
  const check = { ...checked, part: undefined, phase: 'check', isProved: true };
  test.each([
    ['one that begins', { phase: 'start' }, { ...run, phase: 'start' }],
    ['one whose files are read', { phase: 'forced' }, { ...run, phase: 'forced', forced }],
    ['one whose loop is to be announced', { stepOpen: false }, { ...kept, phase: 'open', part: 'loop' }],
    ['one whose model is asked', {}, { ...kept, phase: 'think', part: 'loop' }],
    [
      'one whose answer is continued, with what there is of it in the conversation',
      { partial: { text: 'It', continuations: 1 }, wasEmpty: true },
      {
        ...kept,
        messages: [
          ...messages,
          { role: 'assistant', content: 'It' },
          { role: 'user', content: continueNote },
        ],
        phase: 'think',
        part: 'loop',
        partial: { text: 'It', continuations: 1 },
        wasEmpty: true,
      },
    ],
    [
      'one whose calls are answered',
      { calls: [call], announced: 1, cutCall: 'c0' },
      { ...kept, phase: 'act', part: 'loop', calls: [call], announced: 1, cutCall: 'c0' },
    ],
    [
      'one whose check is to be announced',
      { ...check, stepOpen: false },
      { ...kept, ...checked, isProved: true, phase: 'open' },
    ],
    ['one that is checked', check, { ...kept, ...checked, isProved: true, phase: 'think' }],
    [
      'one whose check makes calls',
      { ...check, calls: [call] },
      { ...kept, ...checked, isProved: true, phase: 'act', calls: [call], announced: 0 },
    ],
    [
      'one whose citations are made',
      { ...check, answerToCite: 'One [1].' },
      { ...kept, ...checked, phase: 'cite', answerToCite: 'One [1].' },
    ],
  ])('%s', (_, changes, state) => {
    expect(read(changes)).toEqual(state);
  });
});

test('a stored state without the newest fields is read with their initial values', () => {
  expect(readCheckpoint('{"phase":"start","step":1,"completions":0}')).toEqual({ ...initialState, step: 1 });
});

test('a run goes through every phase, and each of its states is read as it was written', async () => {
  const states = await statesOf();
  expect(new Set(states.map(({ phase }) => phase))).toEqual(
    new Set(['forced', 'open', 'think', 'act', 'cite', 'ended']),
  );
  for (const state of states) expect(takenOver(state)).toEqual(state);
});

test('a state is stored with fields that the release before knows, and in its phases', async () => {
  const known = new Set([
    ...Object.keys(earlier),
    ...['partial', 'proven', 'proofPasses', 'isProved', 'answerToCite', 'wasEmpty', 'cutCall', 'stopReason'],
  ]);
  const stored = (await statesOf()).map((state) => JSON.parse(writeCheckpoint(state)));
  // Nobody but a run that goes on from it reads the state of a run that has ended, and the release before has no such runs.
  for (const state of stored) delete state.conversation;
  for (const state of stored) expect(Object.keys(state).filter((field) => !known.has(field))).toEqual([]);
  expect(stored.map(({ phase, stepOpen }) => [phase, stepOpen])).toEqual([
    ['forced', undefined],
    ['loop', false],
    ...Array(5).fill(['loop', true]),
    ['check', false],
    ...Array(2).fill(['check', true]),
    ['ended', undefined],
  ]);
});

test('what goes back to a provider is stored apart from the messages, which the release before sends as they are', async () => {
  const opaque = { upstream: 'https://x/v1 big', message: { reasoning_content: 'Hm.' } };
  const { deps, requests } = makeAgent([{ calls: [['page', {}]] }, { text: 'noon [1].' }], [page]);
  const { complete } = deps.reasoning;
  deps.reasoning.complete = async (request, options) => {
    const completion = await complete(request, options);
    return { ...completion, message: { ...completion.message, opaque } };
  };
  for (const { state } of await collect(deps)) {
    const stored = JSON.parse(writeCheckpoint(state)) as { messages?: object[]; opaque?: object };
    expect(JSON.stringify(stored.messages ?? [])).not.toContain('reasoning_content');
    expect(takenOver(state)).toEqual(readCheckpoint(JSON.stringify(stored)));
    if ('messages' in state) expect(takenOver(state)).toHaveProperty('messages', state.messages);
  }
  const answers = requests.at(-1)?.messages.filter(({ role }) => role === 'assistant');
  expect(answers).toHaveLength(2);
  for (const answer of answers ?? []) expect(answer).toMatchObject({ opaque });
});
