import { createAccount, createKey } from '@errand/accounts';
import { checkBalances, type LedgerEntry, listEntries, readAccountPurse } from '@errand/money';
import type { KeyLimits } from '@errand/platform';
import { accountsDeps, whenCharged } from '@errand/service';
import fc from 'fast-check';
import { expect } from 'vitest';
import { completionOf, type Usage } from '../../support/model-server.ts';
import { playModels, small } from './catalogue.ts';
import type { HeldCall, HeldProvider } from './held-provider.ts';
import type { House } from './house.ts';

/** One call of a play: how it is asked, how long it is, what its provider does, and when its caller leaves. */
interface PlayedCall {
  route: 'chat' | 'responses' | 'systemone' | 'decisions' | 'run';
  stream: boolean;
  model: number;
  maxTokens: number | undefined;
  choices: number;
  /** The words of the input. Each is a token, also by o200k. */
  words: number;
  /** The words of the answer. */
  written: number;
  provider: 'answers' | 'breaks off' | 'fails';
  usage: Usage | undefined;
  leaves: 'never' | 'before the first byte' | 'after it';
}

interface Play {
  creditsNanoEuro: number;
  budgetNanoEuro: number | undefined;
  /** Calls that come at once, and then the next ones. */
  rounds: PlayedCall[][];
}

const { contextTokens, outputTokens } = small;
const absurd = 50_000_000;

const usages = fc.oneof(
  fc.constant(undefined),
  fc.constant({ input: 20, output: 7 }),
  fc.constant({ input: 20, output: 5_000 }),
  fc.constant({ input: absurd, output: 7 }),
  fc.constant({ input: absurd, output: absurd }),
);

const call: fc.Arbitrary<PlayedCall> = fc.record({
  route: fc.constantFrom('chat', 'chat', 'responses', 'responses', 'systemone', 'decisions', 'run'),
  stream: fc.boolean(),
  model: fc.nat({ max: playModels - 1 }),
  maxTokens: fc.constantFrom(undefined, undefined, 10, 500),
  choices: fc.constantFrom(1, 1, 2),
  words: fc.constantFrom(5, 5, 300, 300, 600, contextTokens, 1.4 * contextTokens, 40 * contextTokens),
  written: fc.constantFrom(0, 5, 300, 2_000),
  provider: fc.constantFrom('answers', 'answers', 'answers', 'breaks off', 'fails'),
  usage: usages,
  leaves: fc.constantFrom('never', 'before the first byte', 'after it'),
});

export const plays: fc.Arbitrary<Play> = fc.record({
  creditsNanoEuro: fc.oneof(fc.integer({ min: 1, max: 5_000_000 }), fc.constant(1_000_000_000)),
  budgetNanoEuro: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 5_000_000 })),
  rounds: fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }),
});

/** In nano-euro, of a token that is written. */
const outputNanoEuro = 2_000;

/** What the provider knows of a call. */
interface Told {
  call: PlayedCall;
  taken: PromiseWithResolvers<void>;
  left: PromiseWithResolvers<void>;
  /** What a balance may fall below zero by it, by the provider's own books. */
  beyondNanoEuro: number;
}

let names = 0;

/** Plays with accounts of their own, in front of one provider that tells the calls by a name in their texts. */
export function createStage(house: House, provider: HeldProvider) {
  const told = new Map<string, Told>();
  provider.script((held) => {
    const [name = ''] = /call-\d+/.exec(JSON.stringify(held.body)) ?? [];
    const known = told.get(name);
    if (known) void answer(held, known);
    else held.json(500, {});
  });

  async function make(call: PlayedCall, key: string): Promise<Told> {
    const name = `call-${names++}`;
    const known: Told = {
      call,
      taken: Promise.withResolvers(),
      left: Promise.withResolvers(),
      beyondNanoEuro: 0,
    };
    told.set(name, known);
    const client = new AbortController();
    const text = `${name} ${'word '.repeat(call.words)}`;
    if (call.route === 'run') {
      await makeRun(known, text, key);
      return known;
    }
    const { path, body } = requestOf({ ...call, route: call.route }, text);
    const response = house.post(path, body, { key, signal: client.signal });
    response.catch(() => {});
    const leave = () => {
      client.abort();
      known.left.resolve();
    };
    if (call.leaves === 'before the first byte') {
      await Promise.race([known.taken.promise, response.catch(() => {})]);
      leave();
    } else if (call.leaves === 'after it') {
      const reader = await response.then(({ body }) => body?.getReader());
      await reader?.read().catch(() => {});
      leave();
    } else await response.then((each) => each.text()).catch(() => {});
    known.left.resolve();
    return known;
  }

  /** A run whose caller leaves is cancelled while its first completion is in work. */
  async function makeRun({ call, taken, left }: Told, question: string, key: string): Promise<void> {
    const response = await house.post('/v1/agents/runs', { question, tools: [] }, { key });
    if (response.status !== 202) return void (await response.text());
    const { agentId } = (await response.json()) as { agentId: string };
    const ended = house.follow(agentId, key);
    if (call.leaves === 'before the first byte') {
      await Promise.race([taken.promise, ended]);
      await house.cancel(agentId, key).catch(() => {});
    }
    left.resolve();
    await ended;
  }

  return async ({ creditsNanoEuro, budgetNanoEuro, rounds }: Play): Promise<void> => {
    const deps = accountsDeps(house.parts);
    const { accountId } = await createAccount(deps, { name: 'play', creditsNanoEuro });
    const limits: KeyLimits | undefined =
      budgetNanoEuro === undefined
        ? undefined
        : { budget: { amountNanoEuro: budgetNanoEuro, period: 'total' } };
    const { key } = await createKey(deps, { accountId, label: 'play', limits });
    const made: Told[] = [];
    for (const round of rounds) made.push(...(await Promise.all(round.map((each) => make(each, key)))));
    await expect.poll(() => settled(house, accountId), { interval: 10 }).toBe(0);
    for await (const found of checkBalances(deps, accountId)) expect(found).toBeUndefined();
    const entries = await allEntries(house, accountId);
    const spent = -entries.reduce((sum, entry) => sum + entry.amountNanoEuro, 0);
    const purse = await readAccountPurse(deps, accountId);
    const beyond = made.reduce((sum, each) => sum + each.beyondNanoEuro, 0);
    expect(purse.balanceNanoEuro).toBe(creditsNanoEuro - spent);
    expect(purse.availableNanoEuro).toBe(purse.balanceNanoEuro);
    expect(purse.balanceNanoEuro).toBeGreaterThanOrEqual(-beyond);
    if (budgetNanoEuro !== undefined) expect(spent).toBeLessThanOrEqual(budgetNanoEuro + beyond);
    // The model of runs has a larger context.
    for (const entry of entries.filter(({ brokenOff, runId }) => brokenOff && runId === undefined))
      expect(entry.inputTokens).toBeLessThanOrEqual(
        made.some(({ call: { usage } }) => usage?.input === absurd) ? absurd : contextTokens,
      );
  };
}

/** How many calls of the account still have something set aside. */
async function settled(house: House, accountId: string): Promise<number> {
  await whenCharged(house.parts);
  return (await readAccountPurse(accountsDeps(house.parts), accountId)).holds.size;
}

async function allEntries({ parts }: House, accountId: string): Promise<LedgerEntry[]> {
  const { entries } = await listEntries(accountsDeps(parts), { accountId }, { limit: 100 });
  return entries.filter(({ kind }) => kind !== 'credit');
}

const questions = { late: { type: 'noul' } };
const predicate = { type: 'predicate', name: 'late', instructions: 'Is it late?' };

function requestOf(
  call: PlayedCall & { route: Exclude<PlayedCall['route'], 'run'> },
  text: string,
): { path: string; body: object } {
  const { route, stream, maxTokens, choices } = call;
  const model = `small-${call.model}`;
  const scale = `scale-${call.model}`;
  return {
    chat: {
      path: '/v1/chat/completions',
      body: { model, messages: [{ role: 'user', content: text }], stream, max_tokens: maxTokens, n: choices },
    },
    responses: {
      path: '/v1/responses',
      body: { model, input: text, stream, store: false, max_output_tokens: maxTokens },
    },
    systemone: { path: '/v1/systemone', body: { model: scale, state: text, questions } },
    decisions: { path: '/v1/decisions', body: { model: scale, input: text, questions: [predicate] } },
  }[route];
}

async function answer(held: HeldCall, known: Told): Promise<void> {
  const { call, taken, left } = known;
  taken.resolve();
  if (call.leaves === 'before the first byte') await left.promise;
  if (call.route === 'run') return held.complete('word '.repeat(call.written) || 'word', call.usage);
  if (call.provider === 'fails') return held.json(500, {});
  if ('questions' in held.body) return decide(held, known);
  const text = 'word '.repeat(call.written);
  const { stream, max_tokens, max_completion_tokens, n } = held.body as Record<string, unknown>;
  if (!stream) {
    if (call.provider === 'breaks off') return held.half();
    const isTold = (max_tokens ?? max_completion_tokens) !== undefined;
    if (call.usage && !isTold)
      known.beyondNanoEuro = Math.max(0, call.usage.output - outputTokens * Number(n ?? 1)) * outputNanoEuro;
    const whole = completionOf(held.body.model, { text, usage: call.usage });
    return held.json(200, call.usage ? whole : { ...whole, usage: undefined });
  }
  await held.chunks('word ');
  if (call.leaves === 'after it') await left.promise;
  await held.chunks(text);
  if (call.provider === 'breaks off') held.reset();
  else held.endStream(call.usage ?? null);
}

function decide(held: HeldCall, { call }: Told): void | Promise<void> {
  if (call.provider === 'breaks off') return held.half();
  const asked = Object.keys((held.body as { questions: object }).questions);
  const answers = Object.fromEntries(asked.map((id) => [id, { type: 'noul', noul: 0.75 }]));
  held.json(200, { answers, ...(call.usage && { usage: { input_tokens: call.usage.input } }) });
}
