import { createKey } from '@errand/accounts';
import { addCredits } from '@errand/money';
import { localTableNames } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Receiver, startReceiver, wordOf } from './support/receiver.ts';

let provider: Provider;
let receiver: Receiver;
let service: TestService;
/** No month ends. */
let clock: HeldClock;

beforeAll(async () => {
  receiver = await startReceiver();
  clock = heldClock(new Date().toISOString());
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ clock, env: { FETCH_ALLOWED_HOSTS: receiver.host } }),
);
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  provider.script(() => ({ text: 'ok' }));
});

const store = () => ({ dynamodb: service.clients.dynamodb, tables: localTableNames, clock });

async function listen(key: string, path: string, events: string[]): Promise<void> {
  const made = await service.post('/v1/webhooks', { url: `${receiver.url}${path}`, events }, { key });
  expect(made.status).toBe(201);
}

/** A chat of 120,000 nano-euro. */
const chat = async (key: string): Promise<number> => {
  const messages = [{ role: 'user', content: 'Q?' }];
  const response = await service.post(
    '/v1/chat/completions',
    { model: 'writer', messages, max_tokens: 20 },
    { key },
  );
  await response.text();
  return response.status;
};

const told = () => receiver.received.map((one) => [one.path, wordOf(one).type, wordOf(one).data]);

test('low credits are reported with the charge that makes them low, once for each time that credits are added', async () => {
  const { accountId, key } = await service.newAccount('0.0007');
  const other = await service.newKey(accountId);
  await listen(key, '/mine', ['credits.low']);
  await listen(other, '/other', ['credits.low', 'run.failed']);
  for (let call = 0; call < 4; call++) expect(await chat(key)).toBe(200);
  await service.request('/v1/credits', { key });
  expect(told()).toEqual([]);
  expect(await chat(key)).toBe(200);
  await receiver.has(2);
  expect(told().toSorted()).toEqual([
    ['/mine', 'credits.low', { accountId }],
    ['/other', 'credits.low', { accountId }],
  ]);
  expect(await chat(key)).toBe(200);
  await addCredits(store(), { accountId, amountNanoEuro: 1_000_000 });
  for (let call = 0; call < 7; call++) expect(await chat(key)).toBe(200);
  await receiver.has(4);
  expect(told()).toHaveLength(4);
});

test('a run that makes credits low reports so to webhooks', async () => {
  const { accountId, key } = await service.newAccount('0.022');
  await listen(key, '/run', ['credits.low']);
  provider.script(() => ({ text: 'ok', usage: { input: 9_000, output: 100 } }));
  await service.follow(await service.start({ question: 'Q?' }, key), { key });
  await receiver.has(1);
  expect(told()).toEqual([['/run', 'credits.low', { accountId }]]);
});

test('a budget that is used up is reported to the webhooks of its key, once in its period', async () => {
  const { accountId, key: first } = await service.newAccount();
  const limits = { budget: { amountNanoEuro: 240_000, period: 'month' as const } };
  const { key, keyId } = await createKey(store(), { accountId, label: 'limited', limits });
  await listen(key, '/limited', ['budget.reached']);
  await listen(first, '/first', ['budget.reached', 'credits.low']);
  expect(await chat(key)).toBe(200);
  expect(await chat(key)).toBe(200);
  for (let call = 0; call < 3; call++) expect(await chat(key)).toBe(402);
  await receiver.has(1);
  const period = new Date(clock()).toISOString().slice(0, 7);
  expect(told()).toEqual([['/limited', 'budget.reached', { keyId, period }]]);
});

test('nobody is told of an account that an organisation pays for', async () => {
  const { key } = await service.newAccount('0', { subscription: true });
  await listen(key, '/covered', ['credits.low']);
  for (let call = 0; call < 3; call++) expect(await chat(key)).toBe(200);
  const { key: quick } = await service.newAccount('0.00013');
  await listen(quick, '/after', ['credits.low']);
  await chat(quick);
  await eventually(() => told().map(([path]) => path)).toEqual(['/after']);
});
