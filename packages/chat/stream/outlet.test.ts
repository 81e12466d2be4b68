import type { IncomingMessage } from 'node:http';
import { limits } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutlet } from './outlet.ts';
import type { Sink } from './sink.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const written: string[] = [];
  const flow = { paused: false, full: false, drain: () => {} };
  const response = {
    pause() {
      flow.paused = true;
    },
    resume() {
      flow.paused = false;
    },
  } as unknown as IncomingMessage;
  const sink: Sink = {
    write: (bytes) => {
      written.push(bytes.toString());
      return !flow.full;
    },
    end() {},
    onDrain(callback) {
      flow.drain = callback;
    },
  };
  const outlet = createOutlet(response);
  const send = (text: string) => {
    outlet.add(Buffer.from(text));
    return outlet.flush();
  };
  return { outlet, sink, send, written, flow };
}

const rest = () => vi.advanceTimersByTime(limits.streamWriteMilliseconds);

test('what came before there is a sink is written when there is one', () => {
  const { outlet, sink, send, written } = start();
  expect([send('a'), send('b')]).toEqual([true, false]);
  expect(written).toEqual([]);
  outlet.attach(sink, () => {});
  expect(written).toEqual(['ab']);
});

test('a chunk after a pause goes out at once, those that follow closely share a write', () => {
  const { outlet, sink, send, written } = start();
  outlet.attach(sink, () => {});
  for (const text of ['a', 'b', 'c']) send(text);
  expect(written).toEqual(['a']);
  rest();
  expect(written).toEqual(['a', 'bc']);
  send('d');
  expect(written).toEqual(['a', 'bc']);
  rest();
  rest();
  send('e');
  expect(written).toEqual(['a', 'bc', 'd', 'e']);
});

test('what waits is written when the stream closes, and no timer is left', () => {
  const { outlet, sink, send, written } = start();
  outlet.attach(sink, () => {});
  for (const text of ['a', 'b']) send(text);
  outlet.close();
  expect(written).toEqual(['a', 'b']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a sink that is full holds the upstream back until it has drained', () => {
  const { outlet, sink, send, flow } = start();
  const drained = vi.fn();
  outlet.attach(sink, drained);
  flow.full = true;
  send('a');
  expect(flow.paused).toBe(true);
  flow.drain();
  expect(flow.paused).toBe(false);
  expect(drained).toHaveBeenCalledOnce();
});
