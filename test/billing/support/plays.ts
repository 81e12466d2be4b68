import { createAccount, createKey, createOrganisation, updateOrganisation } from '@errand/accounts';
import { checkBalances, type LedgerEntry, listEntries, readAccountPurse } from '@errand/money';
import type { KeyLimits } from '@errand/platform';
import { accountsDeps, whenCharged } from '@errand/service';
import { expect } from 'vitest';
import { type FormEntry, png } from '../../uploads/support.ts';
import { playPriceOf, small } from './catalogue.ts';
import type { HeldCall, HeldProvider } from './held-provider.ts';
import type { House } from './house.ts';
import { absurd, decide, write, writeTurn } from './lies.ts';
import type { Play, PlayedCall } from './random-plays.ts';

const { contextTokens, outputTokens } = small;

/** What the provider knows of a call. */
interface Told {
  call: PlayedCall;
  asked: number;
  /** How often its model was asked for a value. */
  valuesAsked: number;
  taken: PromiseWithResolvers<void>;
  /** Resolves when the last chunk was sent. */
  sent: PromiseWithResolvers<void>;
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
    if (known) void answer(held, known).finally(() => known.sent.resolve());
    else held.json(500, {});
  });

  async function make(call: PlayedCall, key: string): Promise<Told> {
    const name = `call-${names++}`;
    const known: Told = {
      call,
      asked: 0,
      valuesAsked: 0,
      taken: Promise.withResolvers(),
      sent: Promise.withResolvers(),
      left: Promise.withResolvers(),
      beyondNanoEuro: 0,
    };
    told.set(name, known);
    const { route } = call;
    const text = `${name} ${'word '.repeat(call.words)}`;
    if (route === 'run' || route === 'form') await makeRun(known, text, key);
    else await ask(known, requestOf({ ...call, route }, text), key);
    known.left.resolve();
    return known;
  }

  async function ask(known: Told, { path, body }: Request, key: string): Promise<void> {
    const { leaves } = known.call;
    const client = new AbortController();
    const response = house.post(path, body, { key, signal: client.signal });
    response.catch(() => {});
    if (leaves === 'never') return void (await response.then((each) => each.text()).catch(() => {}));
    if (leaves === 'before the first byte')
      await Promise.race([known.taken.promise, response.catch(() => {})]);
    if (leaves === 'after it') {
      const reader = await response.then((each) => each.body?.getReader());
      await reader?.read().catch(() => {});
    }
    if (leaves === 'after the last chunk') {
      const over = response.then(async (each) => (each.ok ? known.sent.promise : void (await each.text())));
      await Promise.race([known.sent.promise, over]).catch(() => {});
    }
    client.abort();
  }

  /** A run whose caller leaves is cancelled while its first completion is in work. */
  async function makeRun({ call, taken, left }: Told, question: string, key: string): Promise<void> {
    const { route, leaves, maxNanoEuro } = call;
    const outputSchema = call.values && numberSchema;
    const maxCredits = maxNanoEuro && maxNanoEuro / 1e9;
    const model = runModels[call.model % runModels.length];
    const client = new AbortController();
    const sending = { key, signal: client.signal };
    const made =
      route === 'run'
        ? house.post(
            '/v1/agents/runs',
            { question, model, tools: ['save_data'], maxCredits, outputSchema },
            sending,
          )
        : house.form(formOf({ question, model, maxCredits, outputSchema }), sending);
    made.catch(() => {});
    if (route === 'form' && leaves === 'at once') return client.abort();
    if (route === 'form' && leaves !== 'never') {
      await Promise.race([taken.promise, made.catch(() => {})]);
      return client.abort();
    }
    const response = await made;
    if (response.status !== 202) return void (await response.text());
    const { agentId } = (await response.json()) as { agentId: string };
    const ended = house.follow(agentId, key);
    if (leaves === 'at once') await house.cancel(agentId, key).catch(() => {});
    if (leaves === 'before the first byte') {
      await Promise.race([taken.promise, ended]);
      await house.cancel(agentId, key).catch(() => {});
    }
    left.resolve();
    await ended;
    if (maxNanoEuro !== undefined) {
      const { usage } = await house.read(agentId, key);
      expect(Number(usage.credits)).toBeLessThanOrEqual(maxNanoEuro / 1e9);
    }
  }

  return async (play: Play): Promise<void> => {
    const { creditsNanoEuro, budgetNanoEuro, ceilingNanoEuro, rounds } = play;
    const deps = accountsDeps(house.parts);
    const organisation =
      ceilingNanoEuro === undefined ? undefined : await newOrganisation(house, ceilingNanoEuro);
    const { accountId } = await createAccount(deps, { name: 'play', creditsNanoEuro, ...organisation });
    const limits: KeyLimits | undefined =
      budgetNanoEuro === undefined
        ? undefined
        : { budget: { amountNanoEuro: budgetNanoEuro, period: 'total' } };
    const { key } = await createKey(deps, { accountId, label: 'play', limits });
    const made: Told[] = [];
    for (const round of rounds) made.push(...(await Promise.all(round.map((each) => make(each, key)))));
    await expect.poll(() => settled(house, accountId), { interval: 10 }).toBe(0);
    for await (const found of checkBalances(deps, accountId)) expect(found).toBeUndefined();
    const entries = await allEntries(house, organisation ?? { accountId });
    const spent = entries.reduce((sum, entry) => sum - entry.amountNanoEuro, 0);
    const purse = await readAccountPurse(deps, accountId);
    const beyond = made.reduce((sum, each) => sum + each.beyondNanoEuro, 0);
    expect(purse.balanceNanoEuro).toBe(creditsNanoEuro - (organisation ? 0 : spent));
    expect(purse.availableNanoEuro).toBe(purse.balanceNanoEuro);
    expect(purse.balanceNanoEuro).toBeGreaterThanOrEqual(-beyond);
    if (budgetNanoEuro !== undefined) {
      expect(spent).toBeLessThanOrEqual(budgetNanoEuro + beyond);
      expect([...purse.budgets.values()]).toEqual(spent === 0 && purse.budgets.size === 0 ? [] : [spent]);
    }
    if (ceilingNanoEuro !== undefined) expect(spent).toBeLessThanOrEqual(ceilingNanoEuro + beyond);
    for (const entry of entries) expect(entry.amountNanoEuro).toBeLessThanOrEqual(0);
    // The models of runs have a larger context.
    for (const entry of entries.filter(
      ({ brokenOff, kind, runId }) => brokenOff && kind !== 'vision' && !runId,
    ))
      expect(entry.inputTokens).toBeLessThanOrEqual(
        made.some(({ call: { report, summary } }) =>
          JSON.stringify([report, summary]).includes(String(absurd)),
        )
          ? // Messages tell what was cached beside the rest of the input, and of a summary beside it.
            3 * absurd
          : contextTokens,
      );
  };
}

async function newOrganisation(house: House, ceilingNanoEuro: number): Promise<{ organisationId: string }> {
  const deps = accountsDeps(house.parts);
  const { organisationId } = await createOrganisation(deps, { name: 'play', subscription: true });
  await updateOrganisation(deps, { organisationId, ceilingNanoEuro });
  return { organisationId };
}

/** How many calls of the account still have something set aside. */
async function settled(house: House, accountId: string): Promise<number> {
  await whenCharged(house.parts);
  return (await readAccountPurse(accountsDeps(house.parts), accountId)).holds.size;
}

async function allEntries(
  { parts }: House,
  owner: { accountId: string } | { organisationId: string },
): Promise<LedgerEntry[]> {
  const { entries } = await listEntries(accountsDeps(parts), owner, { limit: 100 });
  return entries.filter(({ kind }) => kind !== 'credit');
}

const questions = { late: { type: 'noul' } };
const predicate = { type: 'predicate', name: 'late', instructions: 'Is it late?' };

const numberSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

const formOf = (fields: Record<string, unknown>): FormEntry[] => [
  ...Object.entries(fields).flatMap(([name, value]): FormEntry[] =>
    value === undefined ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
  ),
  ['file', { name: 'dot.png', bytes: png }],
];

interface Request {
  path: string;
  body: object;
}

function requestOf(
  call: PlayedCall & { route: Exclude<PlayedCall['route'], 'run' | 'form'> },
  text: string,
): Request {
  const { route, stream, maxTokens, choices, summary } = call;
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
    messages: {
      path: '/v1/messages',
      body: {
        ...{ model, messages: [{ role: 'user', content: text }], stream, max_tokens: maxTokens ?? 200 },
        ...(summary && { context_management: { edits: [{ type: 'compact_20260112' }] } }),
      },
    },
    systemone: { path: '/v1/systemone', body: { model: scale, state: text, questions } },
    decisions: { path: '/v1/decisions', body: { model: scale, input: text, questions: [predicate] } },
  }[route];
}

async function answer(held: HeldCall, known: Told): Promise<void> {
  const { call, taken, left } = known;
  const { behaviour, report } = call;
  const { usage } = report;
  taken.resolve();
  if (call.leaves === 'before the first byte') await left.promise;
  if (call.route === 'run' || call.route === 'form') return answerRun(held, known);
  if ('questions' in held.body) return decide(held, { usage, behaviour });
  const { stream, max_tokens, max_completion_tokens, max_output_tokens, n } = held.body as Record<
    string,
    unknown
  >;
  const isTold = (max_tokens ?? max_completion_tokens ?? max_output_tokens ?? undefined) !== undefined;
  if (!stream && !isTold) {
    const nanoEuro = (playPriceOf(call.model).outputPerMillionTokens ?? 0) * 1_000;
    const beyond = Math.max(0, report.output - outputTokens * Number(n ?? 1));
    known.beyondNanoEuro = Math.ceil(beyond * nanoEuro);
  }
  const at = (place: PlayedCall['leaves'], then: Promise<void>) =>
    call.leaves === place ? then : Promise.resolve();
  return write(held, {
    text: 'word '.repeat(call.written),
    summary: 'context_management' in held.body ? call.summary : undefined,
    usage,
    behaviour,
    afterFirst: at('after it', left.promise),
    async afterLast() {
      known.sent.resolve();
      await at('after the last chunk', left.promise);
    },
  });
}

/** Of runs, in turn: of a provider of chat completions, and of one of messages. */
const runModels = ['writer', 'essayist'];

async function answerRun(held: HeldCall, known: Told): Promise<void> {
  const { written, rounds, report } = known.call;
  const { model, tool_choice } = held.body;
  const isFree = !['none', '{"type":"none"}'].includes(textOf(tool_choice));
  const isTool = model !== 'upstream-eyes' && isFree && known.asked++ < rounds;
  const args = { name: `value-${known.asked}`, value: '1' };
  const text = (!isTool && valueFor(held, known)) || 'word '.repeat(written) || 'word';
  if (text === 'refused') return held.json(400, { error: { message: 'no response_format' } });
  writeTurn(held, {
    call: isTool ? { id: `call_${known.asked}`, name: 'save_data', args } : undefined,
    text,
    usage: report.usage,
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/** What the model of a run with a schema writes when it is asked for the value; undefined at other times. */
function valueFor({ body }: HeldCall, known: Told): string | undefined {
  const { values } = known.call;
  if (!values || !JSON.stringify(body.messages?.at(-1)).includes('sources')) return undefined;
  const value = values[known.valuesAsked++ % values.length]!;
  const written = { fits: '{"value":{"n":7},"sources":[]}', misfits: '{"value":{"n":"7"},"sources":[]}' };
  return value === 'prose' ? undefined : value === 'refused' ? value : written[value];
}
