import { putItem, readConfig, silentLog, transact } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type HeldClock, heldClock } from '../../test/support/accounts.ts';
import { createServiceDeps, type ServiceDeps } from './deps.ts';
import { createWholeApp } from './whole-app.ts';

let clock: HeldClock;
let reads: number;
let store: () => Promise<unknown>;
let app: ReturnType<typeof createWholeApp>;
let parts: ServiceDeps;

const answers = async () => ({ output: { $metadata: {} }, response: {} });
const fails = () => Promise.reject(Object.assign(new Error('down'), { name: 'TimeoutError' }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock = heldClock();
  parts = createServiceDeps({
    config: readConfig('local', {}),
    catalogue: { models: [], roles: {} },
    clock,
    log: silentLog,
  });
  reads = 0;
  store = answers;
  const meet = (): Promise<never> => {
    reads++;
    return store() as Promise<never>;
  };
  parts.aws.dynamodb.middlewareStack.add(() => meet, { step: 'initialize', name: 'meet' });
  app = createWholeApp(parts);
});
afterEach(() => void vi.useRealTimers());

const ask = async (path = '/healthz') => {
  const response = await app.request(path);
  return [response.status, await response.text()];
};

const well = [200, '{"status":"ok"}'];
const unwell = [503, '{"status":"unavailable"}'];

test('health is a 503 while the store fails, and a 200 again a second after it answers; the process lives all the while', async () => {
  expect(await ask()).toEqual(well);
  store = fails;
  clock.advance(1_000);
  expect(await ask()).toEqual(unwell);
  expect((await app.request('/healthz')).headers.get('Retry-After')).toBe('5');
  expect(await ask('/livez')).toEqual(well);
  store = answers;
  clock.advance(999);
  expect(await ask()).toEqual(unwell);
  clock.advance(1);
  expect(await ask()).toEqual(well);
});

test('what the store answered before the clock went back is not kept', async () => {
  expect(await ask()).toEqual(well);
  store = fails;
  clock.advance(-2 * 3_600_000);
  expect(await ask()).toEqual(unwell);
});

test('a store that does not answer is unwell after two seconds', async () => {
  store = () => new Promise(() => {});
  const asked = ask();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await asked).toEqual(unwell);
});

test('the store is read once a second, and one read at a time, however many callers ask', async () => {
  const slow = Promise.withResolvers<unknown>();
  store = () => slow.promise;
  const asked = Array.from({ length: 100 }, () => ask());
  clock.advance(1_500);
  asked.push(ask());
  slow.resolve(await answers());
  expect(await Promise.all(asked)).toEqual(asked.map(() => well));
  await Promise.all(Array.from({ length: 100 }, () => ask()));
  expect(reads).toBe(1);
});

test('liveness asks nobody', async () => {
  await ask('/livez');
  expect(reads).toBe(0);
});

const failing =
  (name: string, more: object = {}) =>
  () =>
    Promise.reject(Object.assign(new Error('no'), { name, $fault: 'client', ...more }));
const serverFault = { $fault: 'server', $metadata: { httpStatusCode: 500 } };

/** Writes, whatever comes of it, and then lets the store answer reads. */
async function write(answer: () => Promise<unknown>, way = putOne): Promise<void> {
  store = answer;
  await way().catch(() => undefined);
  store = answers;
}
const putOne = () => putItem(parts.aws, { TableName: 'Runs', Item: { pk: 'a', sk: 'b' } });
const transactOne = () => transact(parts.aws, [{ Put: { TableName: 'Runs', Item: { pk: 'a', sk: 'b' } } }]);

test.each([
  ['a write', putOne],
  ['a transaction', transactOne],
])(
  'health is a 503 after %s has failed, though the store answers reads, until a write succeeds',
  async (_, way) => {
    await write(failing('InternalServerError', serverFault), way);
    expect(await ask()).toEqual(unwell);
    clock.advance(3_600_000);
    expect(await ask()).toEqual(unwell);
    expect(await ask('/livez')).toEqual(well);
    await write(answers);
    expect(await ask()).toEqual(well);
  },
);

test.each([
  ['a condition that does not hold', 'ConditionalCheckFailedException'],
  ['too many writes at a time', 'ProvisionedThroughputExceededException'],
  ['an item that is too large', 'ValidationException'],
  ['a caller who has left', 'AbortError'],
])('what a write met (%s) says nothing of the health of the store', async (_, name) => {
  await write(failing(name));
  expect(await ask()).toEqual(well);
  await write(fails);
  await write(failing(name));
  expect(await ask()).toEqual(unwell);
});

test('a read that fails after a write has succeeded, and succeeds again, leaves the store well', async () => {
  await write(answers);
  store = fails;
  expect(await ask()).toEqual(unwell);
  store = answers;
  clock.advance(1_000);
  expect(await ask()).toEqual(well);
});
