import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createShutdown } from './shutdown.ts';

let said: string[];
let exits: number[];
let forced: number;
let stopped: PromiseWithResolvers<void>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  said = [];
  exits = [];
  forced = 0;
  stopped = Promise.withResolvers();
});
afterEach(() => void vi.useRealTimers());

const serviceWith = (requests: number, runs: number) => ({
  stop: () => stopped.promise,
  force: () => void forced++,
  inFlight: () => ({ requests, runs }),
});
const newShutdown = () =>
  createShutdown(
    (text) => void said.push(text),
    (status) => void exits.push(status),
  );

test.each([
  [0, 0, 'Stopping.'],
  [1, 0, 'Stopping: 1 request; up to 15 s. Ctrl-C again ends at once.'],
  [3, 2, 'Stopping: 3 requests, 2 runs; up to 15 s. Ctrl-C again ends at once.'],
])('a stop says what it waits for: %d requests and %d runs', async (requests, runs, words) => {
  const shutdown = newShutdown();
  expect(shutdown.begin(serviceWith(requests, runs))).toBe(false);
  shutdown.interrupt();
  expect([said, exits]).toEqual([[words], []]);
  stopped.resolve();
  await stopped.promise;
  await vi.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([0]);
});

test('the second interruption ends the service at once; an interruption that npm repeats counts once', async () => {
  const shutdown = newShutdown();
  shutdown.begin(serviceWith(0, 1));
  shutdown.interrupt();
  vi.advanceTimersByTime(100);
  shutdown.interrupt();
  expect(forced).toBe(0);
  vi.advanceTimersByTime(400);
  shutdown.interrupt();
  expect([forced, exits]).toEqual([1, []]);
  vi.advanceTimersByTime(4_000);
  expect(exits).toEqual([1]);
});

test('a stop that hangs ends after 14.8 s, with status 1', () => {
  const shutdown = newShutdown();
  shutdown.begin(serviceWith(0, 0));
  shutdown.interrupt();
  vi.advanceTimersByTime(14_800);
  expect(exits).toEqual([1]);
});

test('an interruption during the start takes effect when the start is done', async () => {
  const shutdown = newShutdown();
  shutdown.interrupt();
  expect([said, exits]).toEqual([[], []]);
  expect(shutdown.begin(serviceWith(0, 0))).toBe(true);
  stopped.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([0]);
});

test('an error that nobody caught ends the start at once, and the service in order, with status 1', async () => {
  const early = newShutdown();
  early.end(1);
  expect(exits).toEqual([1]);
  const late = newShutdown();
  late.begin(serviceWith(0, 0));
  late.end(1);
  stopped.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([1, 1]);
});

test('an error that nobody caught while the service stops makes the status 1', async () => {
  const shutdown = newShutdown();
  shutdown.begin(serviceWith(0, 0));
  shutdown.interrupt();
  shutdown.end(1);
  stopped.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([said, exits]).toEqual([['Stopping.'], [1]]);
});
