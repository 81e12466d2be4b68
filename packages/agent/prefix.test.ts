import { limits } from '@errand/platform';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { AgentInput } from './conversation.ts';
import type { AgentDeps, CompletionRequest } from './deps.ts';
import { bridgeInput, right, wrong } from './test-support/bridge-value.ts';
import { keptInMemory } from './test-support/kept-in-memory.ts';
import { collect, makeAgent, type Scripted, takenOver } from './test-support/scripted-agent.ts';
import { defineTool } from './tool.ts';
import { requestInput } from './tools/request-input.ts';
import { writeTodos } from './tools/write-todos.ts';

/** What a provider caches: the tools, then the messages up to where the next ones will stand. */
const bytesOf = ({ tools, messages }: CompletionRequest): string =>
  JSON.stringify(tools) + JSON.stringify(messages).slice(0, -1);

const commonStart = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
};

const filler = 'There is much to say about the harbour and its boats. ';

const page = defineTool({
  name: 'page',
  description: 'Reads a page.',
  parameters: v.object({ n: v.number() }),
  timeoutMilliseconds: 1_000,
  sends: 'nothing',
  run: async ({ n }) => ({
    text: `Page ${n}. ${filler.repeat(40)}`,
    isOutside: true,
    cited: {
      sources: [{ kind: 'page', url: `https://site.test/${n}`, snippet: `Page ${n} tells of ships.` }],
      text: ([number]) => `[${number}] https://site.test/${n}\n\nPage ${n}. ${filler.repeat(40)}`,
    },
  }),
});

const read = (n: number): Scripted => ({ calls: [['page', { n }]] });
const reads = (count: number) => Array.from({ length: count }, (_, i) => read(i));
const confirm: Scripted = { calls: [['confirm_answer', {}]] };
const answer: Scripted = { text: 'Page 1 tells of ships [1]. It has boats [1].' };

/** Tokens of four bytes, and cached ones for what the request before began with. */
const withCache = ({ deps, requests }: ReturnType<typeof makeAgent>): AgentDeps => ({
  ...deps,
  reasoning: {
    ...deps.reasoning,
    async complete(request, options) {
      const made = await deps.reasoning.complete(request, options);
      const before = requests.at(-2);
      const [now, last] = [bytesOf(request), before ? bytesOf(before) : ''];
      const inputTokens = Math.ceil(now.length / 4);
      const cachedInputTokens = Math.floor(commonStart(now, last) / 4);
      return { ...made, usage: { inputTokens, cachedInputTokens, outputTokens: 5 } };
    },
  },
});

const runs: [string, Scripted[], Partial<AgentDeps>, Partial<AgentInput>?][] = [
  ['a simple run', [read(1), answer, confirm], {}],
  ['a run of 5 calls', [...reads(5), answer, confirm], {}],
  ['a run of 14 calls', [...reads(14), answer, confirm], { reasoning: withContext(131_072) }],
  ['a run whose check uses a tool', [read(1), answer, read(2), { text: 'CONFIRMED' }], {}],
  [
    'a run whose check changes the answer',
    [read(1), answer, { calls: [['confirm_answer', { answer: 'None.' }]] }],
    {},
  ],
  [
    'a run whose answer is continued twice',
    [
      read(1),
      { text: 'Page 1 tells ', finish: 'length' },
      { text: 'of ships', finish: 'length' },
      { text: ' [1].' },
      confirm,
    ],
    {},
  ],
  ['a run whose model was silent', [read(1), { text: '' }, answer, confirm], {}],
  [
    'a run that uses all rounds',
    [...reads(limits.roundsPerRun), answer, confirm],
    { reasoning: withContext(262_144) },
  ],
  ['a run with proof', [read(1), answer, read(2), { text: 'CONFIRMED' }], { proof: proving(0.1) }],
  ['a run that confirms too early', [read(1), confirm, answer, confirm], {}],
  ['a run with a schema', [read(1), answer, right, confirm], {}, bridgeInput],
  [
    'a run whose value is written three times, and twice more in its check',
    [read(1), answer, wrong, wrong, right, ...[wrong, right].map(confirming)],
    {},
    bridgeInput,
  ],
  [
    'a run with a schema that uses all rounds',
    [...reads(limits.roundsPerRun), wrong, right, read(1), right],
    { reasoning: withContext(262_144) },
    bridgeInput,
  ],
];

function confirming({ text }: Scripted & { text?: string }): Scripted {
  return { calls: [['confirm_answer', { answer: text }]] };
}

function withContext(contextTokens: number) {
  return { contextTokens } as AgentDeps['reasoning'];
}

function proving(support: number): AgentDeps['proof'] {
  return {
    threshold: 0.5,
    async *check(claims) {
      yield {
        positions: [...claims.keys()],
        supports: new Map(claims.map((_, i) => [i, support])),
        cost: { kind: 'decision', inputTokens: 1, amountNanoEuro: 1 },
      };
    },
  };
}

test.each(runs)(
  '%s: each request begins with every byte of the one before it, and 90 % are charged as cached',
  async (_, script, more, input) => {
    const agent = makeAgent(
      (_request, number) => script[number - 1] ?? confirm,
      [page, writeTodos(), requestInput()],
    );
    const deps = withCache(agent);
    const whole = { ...deps, material: keptInMemory(), ...more };
    const reasoning = { ...deps.reasoning, ...more.reasoning };
    const all = await collect({ ...whole, reasoning }, { question: 'q', ...input });
    expect(all.at(-1)?.events.at(-1)).toMatchObject({ type: 'done' });
    expect(agent.requests).toHaveLength(script.length);
    const sent = agent.requests.map(bytesOf);
    for (const [i, now] of sent.entries())
      if (i > 0) expect(commonStart(sent[i - 1]!, now)).toBe(sent[i - 1]!.length);
    const charged = all.flatMap(({ costs }) => costs).filter(({ kind }) => kind === 'completion');
    const cached = charged.reduce((sum, { cachedInputTokens = 0 }) => sum + cachedInputTokens, 0);
    const before = sent.slice(0, -1).reduce((sum, { length }) => sum + length / 4, 0);
    expect(cached).toBeGreaterThanOrEqual(before * 0.9);
  },
);

test('a run that outgrows its context keeps its beginning in most rounds, and loses it once in many', async () => {
  const agent = makeAgent(
    (_request, number) =>
      number <= limits.roundsPerRun ? read(number) : number === limits.roundsPerRun + 1 ? answer : confirm,
    [page, requestInput()],
  );
  agent.deps.reasoning.contextTokens = 16_384;
  await collect(agent.deps);
  const sent = agent.requests.map(bytesOf);
  const broken = sent.filter((now, i) => i > 0 && commonStart(sent[i - 1]!, now) < sent[i - 1]!.length);
  expect(broken.length).toBeGreaterThan(0);
  expect(broken.length).toBeLessThanOrEqual(Math.ceil(sent.length / 5));
});

test('a run that is taken over at any piece sends what it would have sent', async () => {
  const script = [
    ...reads(limits.roundsPerRun),
    { text: 'It ', finish: 'length' },
    { text: 'is.' },
    read(30),
    { text: 'CONFIRMED' },
  ];
  const agentFrom = (before: number) =>
    makeAgent((_request, number) => script[before + number - 1] ?? confirm, [page, requestInput()]);
  const whole = agentFrom(0);
  const all = await collect(whole.deps);
  const sent = whole.requests.map(bytesOf);
  for (const { state } of all.filter(({ state: { phase } }) => phase === 'think')) {
    const { deps, requests } = agentFrom(state.completions);
    await collect(deps, { question: 'q' }, takenOver(state));
    expect(requests.map(bytesOf)).toEqual(sent.slice(state.completions));
  }
});
