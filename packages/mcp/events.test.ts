import { Writable } from 'node:stream';
import { limits, rawWriteOf } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEvents, type Events } from './events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const encoder = new TextEncoder();

/** A library's stream, which queues whatever it is told. */
function startStream(events: Events) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const ended = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
    },
    cancel: () => ended.resolve(),
  });
  const answer = events.relay(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
  return { answer, tell: (text: string) => controller.enqueue(encoder.encode(text)), ended: ended.promise };
}

/** Tells lines in turn, and counts them. */
function tellOn(events: Events, tell: (text: string) => void) {
  const told = { lines: 0 };
  const tellAll = async () => {
    while (told.lines < 1_000) {
      await events.turn();
      tell(`data: ${'x'.repeat(1_000)}\n\n`);
      told.lines++;
    }
  };
  // A stream that is cancelled takes no more.
  tellAll().catch(() => {});
  return told;
}

const turns = async () => {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  await vi.advanceTimersByTimeAsync(10);
};

test('progress is not told on while the caller reads nothing, and the caller is cut off after the stall limit', async () => {
  const events = createEvents();
  const { answer, tell, ended } = startStream(events);
  const told = tellOn(events, tell);
  const deaf = new Writable({ highWaterMark: 16_384, write() {} });
  void rawWriteOf(answer)?.(deaf);
  await turns();
  const before = told.lines;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(100);
  await turns();
  expect(told.lines).toBe(before);
  expect(deaf.writableLength).toBeLessThan(100_000);
  await vi.advanceTimersByTimeAsync(limits.streamStallMilliseconds);
  await ended;
  expect(deaf.destroyed).toBe(true);
});

test('progress goes on when a slow caller reads again', async () => {
  const events = createEvents();
  const { answer, tell } = startStream(events);
  let lines = 0;
  const reader = answer.body!.getReader();
  await events.turn();
  tell('data: 1\n\n');
  const second = events.turn().then(() => lines++);
  await Promise.resolve();
  expect(lines).toBe(0);
  const reading = reader.read();
  // A busy process pauses between writes.
  await vi.advanceTimersByTimeAsync(limits.fullWriteMilliseconds);
  const { value } = await reading;
  expect(Buffer.from(value!).toString()).toBe('data: 1\n\n');
  await second;
  expect(lines).toBe(1);
  await reader.cancel();
});

test('progress of a caller that has gone is no longer waited for', async () => {
  const events = createEvents();
  const { answer, ended } = startStream(events);
  await events.turn();
  const second = events.turn();
  await answer.body!.cancel();
  await Promise.all([ended, second]);
  await events.turn();
});

test('an answer in one piece stays as it is', () => {
  const answer = Response.json({});
  expect(createEvents().relay(answer)).toBe(answer);
});
