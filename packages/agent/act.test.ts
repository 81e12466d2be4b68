import { silentLog } from '@errand/platform';
import { createFetchMeter } from '@errand/web';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { unlimitedCalls } from '../../test/support/purse.ts';
import { act } from './act.ts';
import type { RunDeps } from './answer/answer-form.ts';
import { proseForm } from './answer/prose-form.ts';
import type { PreparedCall } from './call.ts';
import type { Proof } from './proof.ts';
import { type Acting, initialState } from './state.ts';
import { keptInMemory } from './test-support/kept-in-memory.ts';
import { defineTool, type Tool } from './tool.ts';

const tool = (name: string, run: () => Promise<{ text: string }>, options: { inOrder?: boolean } = {}) =>
  defineTool({
    sends: 'nothing',
    name,
    description: '',
    parameters: v.object({}),
    timeoutMilliseconds: 60_000,
    run,
    ...options,
  });

const fence = {
  isNeeded: () => false,
  check: async (_: object, calls: readonly PreparedCall[]) => [...calls],
};
const asked = { question: 'q', fence };

/** The state after the model called these tools. */
function calling(tools: Tool[]): { deps: RunDeps; state: Acting } {
  const deps: RunDeps = {
    mostRounds: 20,
    form: proseForm,
    clock: () => 0,
    log: silentLog,
    material: keptInMemory(),
    patienceMilliseconds: 900_000,
    tools,
    reasoning: {
      id: 'writer',
      contextTokens: 32_768,
      thinkingTokens: () => 0,
      noteThinking: () => false,
      price: () => ({}),
      impact: () => Promise.reject(new Error('not asked')),
      complete: () => Promise.reject(new Error('not asked')),
    },
    readers: {
      isImage: async () => false,
      see: async () => ({ text: '' }),
      transcribe: async () => ({ text: '' }),
    },
    memory: { read: async () => undefined },
    meter: createFetchMeter(),
    calls: unlimitedCalls(),
    shapeOpening: (messages) => messages,
  };
  const calls = tools.map(({ name }, i) => ({
    id: `call_${i}`,
    type: 'function' as const,
    function: { name, arguments: '{}' },
  }));
  const state: Acting = {
    ...initialState,
    phase: 'act',
    part: 'loop',
    rounds: 1,
    completions: 3,
    messages: [{ role: 'assistant', content: null, tool_calls: calls }],
    calls,
    announced: calls.length,
  };
  return { deps, state };
}

test('calls that write, or read what was written, are made in order, and all other calls in parallel', async () => {
  const log: string[] = [];
  const release = Promise.withResolvers<void>();
  const slow = (name: string) => async () => {
    log.push(`${name} begins`);
    await release.promise;
    log.push(`${name} ends`);
    return { text: name };
  };
  const tools = [
    tool('save', slow('save'), { inOrder: true }),
    tool('look', slow('look')),
    tool('read', slow('read'), { inOrder: true }),
    tool('see', slow('see')),
  ];
  const { deps, state } = calling(tools);
  const work = (async () => {
    for await (const _ of act(deps, asked, state, new AbortController().signal));
  })();
  await new Promise(setImmediate);
  expect(log).toEqual(['save begins', 'look begins', 'see begins']);
  release.resolve();
  await work;
  expect(log.slice(-2)).toEqual(['read begins', 'read ends']);
});

test.each([
  ['{"query":', '"{\\"query\\":"'],
  ['the tide', '"the tide"'],
  ['{"query": "tide"}', '{"query": "tide"}'],
])('the event of a call with the arguments %s has a string of JSON', async (written, input) => {
  const { deps, state } = calling([tool('look', async () => ({ text: 'seen' }))]);
  const calls = state.calls.map((call) => ({ ...call, function: { ...call.function, arguments: written } }));
  const unannounced = { ...state, calls, announced: 0 };
  const signal = new AbortController().signal;
  const { value } = await act(deps, asked, unannounced, signal).next();
  expect(value?.events).toEqual([{ type: 'tool_call', toolName: 'look', input }]);
});

test('each pass that judges calls has a charge of its own, though the model could not say', async () => {
  const { deps, state } = calling(['save', 'send'].map((name) => tool(name, async () => ({ text: '' }))));
  const judge: Proof = {
    threshold: 0.9,
    async *check(claims) {
      const cost = { kind: 'decision' as const, inputTokens: 1, amountNanoEuro: 1 };
      for (const position of claims.keys()) yield { positions: [position], supports: new Map(), cost };
    },
  };
  const approving = { except: [], names: [], writes: true, judge };
  const signal = new AbortController().signal;
  const ids: string[] = [];
  for await (const { costs } of act({ ...deps, approving }, asked, { ...state, announced: 0 }, signal))
    ids.push(...costs.map(({ id }) => id));
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
});

test("calls of a sub-run are judged by the caller's question, and not by that which a model wrote", async () => {
  const { deps, state } = calling([tool('send', async () => ({ text: '' }))]);
  const passages: string[] = [];
  const judge: Proof = {
    threshold: 0.9,
    async *check(claims) {
      passages.push(...claims.map(({ passage }) => passage));
    },
  };
  const approving = { except: [], names: [], writes: true, judge, isRefused: true as const };
  const input = { ...asked, question: 'Send it.', callersQuestion: 'What is new?', isSubRun: true as const };
  const results: unknown[] = [];
  const work = act({ ...deps, approving }, input, { ...state, announced: 0 }, new AbortController().signal);
  for await (const { events } of work)
    results.push(...events.flatMap((event) => (event.type === 'tool_result' ? event.result : [])));
  expect(passages).toEqual(['What is new?']);
  expect(results).toEqual([expect.stringContaining('nobody can be asked for it here')]);
});
