import { createLog, createSemaphore, limits, ThreadError, takeTurn } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerWithin } from './call.ts';
import { ToolError } from './tool.ts';

const toolMilliseconds = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** A call of a tool that waits for a slot held by another call, and then works until it is told to answer. */
async function callInQueue() {
  const turns = createSemaphore(1);
  const giveBack = await turns.take();
  const lines: Record<string, unknown>[] = [];
  const run = new AbortController();
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const work = async (signal: AbortSignal) => {
    const release = await takeTurn(turns, { signal, owner: undefined });
    await promise.finally(release);
    return { text: 'read' };
  };
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  const answer = answerWithin(log, 'web_crawl', toolMilliseconds, run.signal, work);
  answer.catch(() => {});
  return { answer, giveBack, finish, lines, run, turns };
}

test('the wait for a slot does not count against the time that a call has for its work', async () => {
  const { answer, giveBack, finish, lines } = await callInQueue();
  await pass(limits.threadWaitMilliseconds - 1);
  giveBack();
  await pass(toolMilliseconds - 1);
  finish();
  expect(await answer).toEqual({ text: 'read' });
  expect(lines).toEqual([]);
});

test('a call that works for too long after its wait is stopped, and the log has both times', async () => {
  const { answer, giveBack, lines } = await callInQueue();
  await pass(100_000);
  giveBack();
  await pass(toolMilliseconds);
  expect(await answer).toEqual({ text: 'Error: web_crawl took longer than 60 s and was stopped.' });
  expect(lines).toEqual([
    expect.objectContaining({
      message: 'tool timed out',
      tool: 'web_crawl',
      workedMilliseconds: toolMilliseconds,
      waitedMilliseconds: 100_000,
    }),
  ]);
});

test('a call that waits for too long leaves the queue, and the model reads that the service is busy', async () => {
  const { answer, giveBack, lines, turns } = await callInQueue();
  await pass(limits.threadWaitMilliseconds);
  expect(await answer).toEqual({
    text: 'Error: web_crawl was stopped after it had waited for 300 s, because the service is busy. Try again later.',
  });
  expect(lines).toEqual([
    expect.objectContaining({
      message: 'tool timed out',
      workedMilliseconds: 0,
      waitedMilliseconds: limits.threadWaitMilliseconds,
    }),
  ]);
  giveBack();
  expect(await turns.take()).toBeTypeOf('function');
});

test('a stopped run no longer waits for a slot, and no timeout is logged', async () => {
  const { answer, lines, run, giveBack, turns } = await callInQueue();
  const reason = new Error('hand-over');
  run.abort(reason);
  await expect(answer).rejects.toBe(reason);
  await pass(limits.threadWaitMilliseconds + toolMilliseconds);
  expect(lines).toEqual([]);
  giveBack();
  expect(await turns.take()).toBeTypeOf('function');
});

test('an invocation of 15 minutes has room for a call that waits and works as long as it may', () => {
  const room = 15 * 60_000 - limits.invocationHandOverMilliseconds;
  expect(limits.threadWaitMilliseconds + limits.toolMilliseconds).toBeLessThan(room / 2);
});

test.each(['timeout', 'memory', 'crash'] as const)(
  'the log says why a thread ended (%s), whatever the model reads of it',
  async (code) => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog((line) => void lines.push(JSON.parse(line)));
    const failure = new ToolError('It is too long.', { cause: new ThreadError(code) });
    const { signal } = new AbortController();
    const answer = await answerWithin(log, 'web_crawl', 1_000, signal, () => Promise.reject(failure));
    expect(answer).toEqual({ text: 'Error: It is too long.' });
    expect(lines).toEqual([
      expect.objectContaining({ message: 'tool failed', tool: 'web_crawl', error: 'ThreadError', code }),
    ]);
  },
);
