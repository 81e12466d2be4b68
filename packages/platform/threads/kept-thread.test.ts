import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptThread } from './kept-thread.ts';

interface Task {
  bytes: Uint8Array;
  does?: 'answers' | 'throws' | 'hangs';
}

/** Answers with its own id, which is another one after it was started again, and the task's bytes. */
const source = `
import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', ({ number, task }) => {
  if (task.does === 'throws') throw new Error('broken');
  if (task.does === 'hangs') for (;;);
  parentPort.postMessage({ number, answer: { threadId, text: Buffer.from(task.bytes).toString() } });
});`;
const program = new URL(`data:text/javascript,${encodeURIComponent(source)}`);

const timeoutMilliseconds = 1_000;
const idleMilliseconds = 60_000;

// Only tests let time pass: a busy machine takes long to start a thread.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(idleMilliseconds);
  vi.useRealTimers();
});

const open = () =>
  keptThread<Task, { threadId: number; text: string }>(program, {
    memoryMegabytes: 32,
    tasksAtOnce: 2,
    timeoutMilliseconds,
    idleMilliseconds,
  });

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text));

test('a kept thread answers all its tasks, each with its own answer', async () => {
  const thread = open();
  const texts = ['one', 'two', 'three', 'four', 'five'];
  const answers = await Promise.all(texts.map((text) => thread.ask({ bytes: bytesOf(text) }, {})));
  expect(answers.map(({ text }) => text)).toEqual(texts);
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(1);
});

test.each([
  ['throws', 'crash'],
  ['hangs', 'timeout'],
] as const)('a kept thread that %s fails its task, and is another one for the next', async (does, code) => {
  const thread = open();
  const first = await thread.ask({ bytes: bytesOf('one') }, {});
  const failing = expect(thread.ask({ bytes: bytesOf('two'), does }, {})).rejects.toMatchObject({ code });
  if (does === 'hangs') await vi.advanceTimersByTimeAsync(timeoutMilliseconds);
  await failing;
  const next = await thread.ask({ bytes: bytesOf('three') }, {});
  expect(next.text).toBe('three');
  expect(next.threadId).not.toBe(first.threadId);
});

test('a kept thread ends when it has nothing to do', async () => {
  const thread = open();
  const { threadId } = await thread.ask({ bytes: bytesOf('one') }, {});
  await vi.advanceTimersByTimeAsync(idleMilliseconds);
  expect((await thread.ask({ bytes: bytesOf('two') }, {})).threadId).not.toBe(threadId);
});

test('a task whose caller has gone does not wait for its turn', async () => {
  const thread = open();
  const gone = new AbortController();
  const busy = [1, 2].map(() => thread.ask({ bytes: bytesOf('one'), does: 'hangs' }, {}).catch(() => {}));
  const waiting = thread.ask({ bytes: bytesOf('two') }, { signal: gone.signal });
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await vi.advanceTimersByTimeAsync(timeoutMilliseconds);
  await Promise.all(busy);
});
