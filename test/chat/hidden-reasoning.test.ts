import { revokeKey, updateOrganisation } from '@errand/accounts';
import { checkBalances } from '@errand/money';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { heldTime } from '../security/support/held-time.ts';
import { newTestAccount } from '../support/accounts.ts';
import {
  type ScriptedUpstream,
  startUpstream,
  type UpstreamScript,
  type Wire,
} from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';
import { chunk, done, event, plainAnswer } from './support/chunks.ts';

let upstream: ScriptedUpstream;
let service: ChatService;

/** In nano-euro a token. */
const inputPrice = 1_000;
const outputPrice = 2_000;

beforeAll(async () => {
  upstream = await startUpstream();
  const { models, roles } = chatCatalogue(upstream.baseUrl);
  const like = (id: string, more: object) => ({ ...models[0]!, id, ...more });
  service = await startChatService({
    models: [
      ...models,
      like('marked', { hiddenReasoning: true }),
      like('known', { hiddenReasoning: true, outputTokens: 300 }),
      like('bounded', { hiddenReasoning: true, maxOutputTokens: 1_000 }),
      like('narrow', { hiddenReasoning: true, contextTokens: 20_000 }),
      like('never', { hiddenReasoning: false }),
      ...['streamed', 'plain', 'wordy', 'open', 'inside', 'unseen', 'poor'].map((id) => like(id, {})),
    ],
    roles,
  });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const question = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Say hello' }],
  stream: true,
  ...more,
});

const usageOf = (completion_tokens: number, reasoning_tokens: number) => ({
  usage: {
    prompt_tokens: 20,
    completion_tokens,
    total_tokens: 20 + completion_tokens,
    completion_tokens_details: { reasoning_tokens },
  },
});

/** A provider that bills as much as it is told to write at most, or this much, and shows the delta alone. */
const bills =
  (tokens: number, delta: object = { content: 'Hello' }): UpstreamScript =>
  async (wire, { body }) => {
    const told = Number(body.max_tokens ?? body.max_completion_tokens ?? tokens);
    const usage = usageOf(told, told - 1);
    if (!body.stream) return wire.json(200, { ...plainAnswer, ...usage });
    await wire.head();
    await wire.send(event(chunk(delta, 'stop')), event({ ...chunk({}), choices: [], ...usage }), done);
    wire.end();
  };

async function ask(body: object, key?: string): Promise<number> {
  const response = await service.post(body, key === undefined ? {} : { key });
  await response.text();
  return response.status;
}

const told = () => upstream.requests.map(({ body }) => body.max_tokens ?? body.max_completion_tokens);
const warnings = (model: string) =>
  service.log.filter((line) => line.message === 'hidden reasoning' && line.model === model);

test('400 simultaneous streams of a model that fills its output limit with hidden tokens never bring the balance below zero', async () => {
  upstream.script(bills(1_000_000));
  const credits = 4 * limits.reservedReasoningTokens * outputPrice;
  const account = await newTestAccount(service.deps.accounts, { credits: (credits / 1e9).toFixed(9) });
  const statuses = await Promise.all(Array.from({ length: 400 }, () => ask(question('marked'), account.key)));
  expect(new Set(statuses)).toEqual(new Set([200, 402]));
  expect(upstream.requests).toHaveLength(statuses.filter((status) => status === 200).length);
  expect(told()).not.toContain(undefined);
  const { balanceNanoEuro, availableNanoEuro, holds } = await service.purse(account);
  expect(balanceNanoEuro).toBeGreaterThanOrEqual(0);
  expect([availableNanoEuro, holds.size]).toEqual([balanceNanoEuro, 0]);
});

test('400 simultaneous streams of a model that hides reasoning without being marked never bring the balance below zero', async () => {
  upstream.script(bills(1_000_000));
  const account = await newTestAccount(service.deps.accounts, { credits: '5' });
  const statuses = await Promise.all(Array.from({ length: 400 }, () => ask(question('unseen'), account.key)));
  expect(statuses).toContain(200);
  expect(told()).toContain(undefined);
  const { balanceNanoEuro, availableNanoEuro, holds } = await service.purse(account);
  expect(balanceNanoEuro).toBeGreaterThanOrEqual(0);
  expect([availableNanoEuro, holds.size]).toEqual([balanceNanoEuro, 0]);
  for await (const problem of checkBalances(service.deps.accounts, account.accountId))
    expect.unreachable(problem.problem);
});

test('a stream that costs more than its account has takes the whole balance, and its ledger entry says what was written off', async () => {
  upstream.script(bills(1_000_000));
  const account = await newTestAccount(service.deps.accounts, { credits: '0.5' });
  expect(await ask(question('poor'), account.key)).toBe(200);
  expect((await service.purse(account)).balanceNanoEuro).toBe(0);
  const charge = (await service.ledger(account)).find(({ kind }) => kind === 'completion');
  const price = 1_000_000 * outputPrice + 20 * inputPrice;
  expect(charge).toMatchObject({
    outputTokens: 1_000_000,
    amountNanoEuro: -0.5e9,
    writtenOffNanoEuro: price - 0.5e9,
  });
});

test.each<[string, object, number | undefined]>([
  ['the usual output of marked models', question('marked'), limits.reservedReasoningTokens],
  ['the output that the catalogue says of a marked model', question('known'), 300],
  ['no more than a marked model can write', question('bounded'), 1_000],
  ['what its caller says', question('marked', { max_completion_tokens: 50 }), 50],
  ['nothing, for a marked model in one piece', question('marked', { stream: false }), undefined],
  ['nothing, for a model that is not marked', question('writer'), undefined],
])('the provider gets the output limit %s', async (_, body, limit) => {
  upstream.script(bills(5, { reasoning_content: 'Hm, hm.', content: 'Hello' }));
  expect(await ask(body)).toBe(200);
  expect(told()).toEqual([limit]);
});

test('the output limit sent to a provider is at most what the context has left beside the request', async () => {
  upstream.script(bills(5));
  const content = 'x'.repeat(4_000);
  expect(await ask(question('narrow', { messages: [{ role: 'user', content }] }))).toBe(200);
  expect(told()[0]).toBeLessThanOrEqual(16_000);
  expect(told()[0]).toBeGreaterThan(15_000);
});

test('a provider that refuses max_tokens gets its output limit as max_completion_tokens', async () => {
  const refuses: UpstreamScript = (wire) =>
    wire.json(400, { error: { message: 'Use max_completion_tokens.', param: 'max_tokens' } });
  upstream.script(refuses, bills(5));
  expect(await ask(question('known'))).toBe(200);
  expect(upstream.requests[1]?.body).toMatchObject({ max_completion_tokens: 300 });
  expect(upstream.requests[1]?.body).not.toHaveProperty('max_tokens');
});

test.each([
  ['nothing, where a subscription without a ceiling pays', undefined, undefined],
  ['what is set aside of the ceiling of a subscription', 1e9, limits.reservedReasoningTokens],
])('the provider of a marked model gets the output limit %s', async (_, ceilingNanoEuro, limit) => {
  upstream.script(bills(5));
  const { accounts } = service.deps;
  const { key, organisationId = '' } = await newTestAccount(accounts, { credits: '0', subscription: true });
  if (ceilingNanoEuro !== undefined) await updateOrganisation(accounts, { organisationId, ceilingNanoEuro });
  expect(await ask(question('marked'), key)).toBe(200);
  expect(told()).toEqual([limit]);
});

test.each([
  ['streamed', true],
  ['plain', false],
])(
  'a model that bills reasoning it did not send is logged as a warning once, and treated as marked: %s',
  async (model, stream) => {
    upstream.script(bills(500));
    expect(await ask(question(model, { stream }))).toBe(200);
    expect(told()).toEqual([undefined]);
    expect(await ask(question(model))).toBe(200);
    expect(await ask(question(model))).toBe(200);
    expect(told().slice(1)).toEqual([limits.reservedReasoningTokens, limits.reservedReasoningTokens]);
    expect(warnings(model)).toMatchObject([{ level: 'warn', model, field: 'hiddenReasoning' }]);
    expect(JSON.stringify(warnings(model))).not.toContain('hello');
  },
);

test('a model that hides fewer tokens than it writes bytes is treated as marked when its tokens are counted', async () => {
  upstream.script(bills(60, { content: ' hello'.repeat(20) }));
  expect(await ask(question('wordy'))).toBe(200);
  await vi.waitFor(() => expect(warnings('wordy')).toHaveLength(1), 60_000);
  expect(await ask(question('wordy'))).toBe(200);
  expect(told()).toEqual([undefined, limits.reservedReasoningTokens]);
});

test.each([
  [
    'that writes its reasoning beside its content',
    'open',
    { reasoning_content: ' hm'.repeat(10), content: 'Hello' },
  ],
  ['that writes its reasoning into its content', 'inside', { content: `${' hm'.repeat(10)} Hello` }],
  ['of which the catalogue says that it hides nothing', 'never', { content: 'Hello' }],
])('a model is not treated as marked %s', async (_, model, delta) => {
  upstream.script(bills(10, delta));
  for (let i = 0; i < 3; i++) expect(await ask(question(model))).toBe(200);
  expect(told()).toEqual([undefined, undefined, undefined]);
  expect(warnings(model)).toEqual([]);
});

/** A stream of the model that has written a word, whose caller then leaves. */
async function leaveStream(model: string) {
  const { accounts } = service.deps;
  const account = await newTestAccount(accounts);
  const time = heldTime(service.clock);
  const arrived = Promise.withResolvers<Wire>();
  upstream.script(async (wire) => {
    await wire.head();
    await wire.send(event(chunk({ content: 'Hello' })));
    arrived.resolve(wire);
  });
  const client = new AbortController();
  const response = await service.post(question(model), { key: account.key, signal: client.signal });
  await (response.body as ReadableStream<Uint8Array>).getReader().read();
  const charge = async () => (await service.ledger(account)).find(({ kind }) => kind === 'completion');
  const leave = async () => {
    const before = time.timers();
    client.abort();
    await vi.waitFor(() => expect(time.timers()).toBe(before + 1), 60_000);
  };
  const wire = await arrived.promise;
  return { account, time, wire, client, leave, charge, over: () => delete service.clock.startTimer };
}

const charged = (charge: () => Promise<object | undefined>, expected: object) =>
  vi.waitFor(async () => expect(await charge()).toMatchObject({ brokenOff: true, ...expected }), 60_000);

test('a caller who leaves a marked model after its last visible word pays for the hidden tokens that it reports', async () => {
  const { wire, time, leave, charge, over } = await leaveStream('marked');
  await leave();
  time.advance(limits.usageAfterLeavingMilliseconds - 1);
  await wire.send(event(chunk({}, 'stop')), event({ ...chunk({}), choices: [], ...usageOf(900, 899) }), done);
  await charged(charge, { inputTokens: 20, outputTokens: 900, reasoningTokens: 899 });
  await vi.waitFor(() => expect(time.timers()).toBe(0), 60_000);
  over();
});

test('a marked model that sends no usage within 2 s is left, and what is known by then is charged', async () => {
  const { wire, time, leave, charge, over } = await leaveStream('marked');
  await leave();
  time.advance(limits.usageAfterLeavingMilliseconds);
  await wire.closed;
  await charged(charge, { inputTokens: 9, outputTokens: 1 });
  over();
});

test('a marked model is not read to its end for a caller whose key has ended', async () => {
  const { account, wire, time, leave, charge, over } = await leaveStream('marked');
  time.advance(limits.keyCheckMilliseconds - 1_000);
  await leave();
  await revokeKey(service.deps.accounts, account.keyId);
  time.advance(1_000);
  await wire.closed;
  await charged(charge, { inputTokens: 9, outputTokens: 1 });
  over();
});

test('a model that ends after its caller has left is charged at once', async () => {
  const { wire, time, leave, charge, over } = await leaveStream('marked');
  await leave();
  wire.reset();
  await charged(charge, { inputTokens: 9, outputTokens: 1 });
  await vi.waitFor(() => expect(time.timers()).toBe(0), 60_000);
  over();
});

test('a model that is not marked is left at once', async () => {
  const { wire, client, charge, over } = await leaveStream('writer');
  client.abort();
  await wire.closed;
  await charged(charge, { inputTokens: 9, outputTokens: 1 });
  over();
});
