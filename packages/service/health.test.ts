import { readConfig, silentLog, systemClock } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createServiceDeps } from './deps.ts';
import { createWholeApp } from './whole-app.ts';

let reads: number;
let store: () => Promise<unknown>;
let app: ReturnType<typeof createWholeApp>;

const answers = async () => ({ output: { $metadata: {} }, response: {} });
const fails = () => Promise.reject(Object.assign(new Error('down'), { name: 'TimeoutError' }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const parts = createServiceDeps({
    config: readConfig('local', {}),
    catalogue: { models: [], roles: {} },
    clock: systemClock,
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
  vi.advanceTimersByTime(1_000);
  expect(await ask()).toEqual(unwell);
  expect((await app.request('/healthz')).headers.get('Retry-After')).toBe('5');
  expect(await ask('/livez')).toEqual(well);
  store = answers;
  vi.advanceTimersByTime(999);
  expect(await ask()).toEqual(unwell);
  vi.advanceTimersByTime(1);
  expect(await ask()).toEqual(well);
});

test('a store that does not answer is unwell after two seconds', async () => {
  store = () => new Promise(() => {});
  const asked = ask();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await asked).toEqual(unwell);
});

test('however many ask, the store is read once a second, and once at a time', async () => {
  const slow = Promise.withResolvers<unknown>();
  store = () => slow.promise;
  const asked = Array.from({ length: 100 }, () => ask());
  await vi.advanceTimersByTimeAsync(1_500);
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
