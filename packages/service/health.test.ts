import { readConfig, silentLog } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type HeldClock, heldClock } from '../../test/support/accounts.ts';
import { createServiceDeps } from './deps.ts';
import { createWholeApp } from './whole-app.ts';

let clock: HeldClock;
let reads: number;
let store: () => Promise<unknown>;
let app: ReturnType<typeof createWholeApp>;

const answers = async () => ({ output: { $metadata: {} }, response: {} });
const fails = () => Promise.reject(Object.assign(new Error('down'), { name: 'TimeoutError' }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock = heldClock();
  const parts = createServiceDeps({
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
