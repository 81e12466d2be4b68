import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEnding } from './ending.ts';

let said: string[];
let exits: number[];
let hurried: number;
let stopped: PromiseWithResolvers<void>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  said = [];
  exits = [];
  hurried = 0;
  stopped = Promise.withResolvers();
});
afterEach(() => void vi.useRealTimers());

const serviceWith = (requests: number, runs: number) => ({
  stop: () => stopped.promise,
  hurry: () => void hurried++,
  underWay: () => ({ requests, runs }),
});
const newEnding = () =>
  createEnding(
    (text) => void said.push(text),
    (status) => void exits.push(status),
  );

test.each([
  [0, 0, 'Stopping.'],
  [1, 0, 'Stopping: 1 request; up to 15 s. Ctrl-C again ends at once.'],
  [3, 2, 'Stopping: 3 requests, 2 runs; up to 15 s. Ctrl-C again ends at once.'],
])('a stop says what it waits for: %d requests and %d runs', async (requests, runs, words) => {
  const ending = newEnding();
  expect(ending.begin(serviceWith(requests, runs))).toBe(false);
  ending.interrupt();
  expect([said, exits]).toEqual([[words], []]);
  stopped.resolve();
  await stopped.promise;
  await vi.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([0]);
});

test('the second interruption ends at once; one that came twice, through npm, is the same', async () => {
  const ending = newEnding();
  ending.begin(serviceWith(0, 1));
  ending.interrupt();
  vi.advanceTimersByTime(100);
  ending.interrupt();
  expect(hurried).toBe(0);
  vi.advanceTimersByTime(400);
  ending.interrupt();
  expect([hurried, exits]).toEqual([1, []]);
  vi.advanceTimersByTime(4_000);
  expect(exits).toEqual([1]);
});

test('a stop that hangs ends after 14.8 s, with status 1', () => {
  const ending = newEnding();
  ending.begin(serviceWith(0, 0));
  ending.interrupt();
  vi.advanceTimersByTime(14_800);
  expect(exits).toEqual([1]);
});

test('an interruption during the start takes effect when the start is done', async () => {
  const ending = newEnding();
  ending.interrupt();
  expect([said, exits]).toEqual([[], []]);
  expect(ending.begin(serviceWith(0, 0))).toBe(true);
  stopped.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([0]);
});

test('an error that nobody caught ends the start at once, and the service in order, with status 1', async () => {
  const early = newEnding();
  early.end(1);
  expect(exits).toEqual([1]);
  const late = newEnding();
  late.begin(serviceWith(0, 0));
  late.end(1);
  stopped.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([1, 1]);
});

test('an error that nobody caught while the service stops makes the status 1', async () => {
  const ending = newEnding();
  ending.begin(serviceWith(0, 0));
  ending.interrupt();
  ending.end(1);
  stopped.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([said, exits]).toEqual([['Stopping.'], [1]]);
});
