import { type Files, limits, silentLog } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeStream } from './store-stream.ts';

beforeEach(() => {
  // What `AbortSignal.timeout` waits for is no timer that can be faked.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => late.signal);
  late = new AbortController();
  stored = new Map();
});
afterEach(() => void vi.restoreAllMocks());

let late: AbortController;
let stored: Map<string, number>;

const files = {
  put: async (key: string, body: Uint8Array) => void stored.set(key, body.byteLength),
} as unknown as Files;
const deps = { files, log: silentLog };

const large = 300_000;
const most = limits.filesStoredAtOnce;

/** Begins to store a file whose sender waits before its last piece until `end` is called. */
function begin(key: string, bytes: number) {
  const gate = Promise.withResolvers<void>();
  async function* source() {
    yield new Uint8Array(bytes - 1);
    await gate.promise;
    yield new Uint8Array(1);
  }
  const target = {
    key,
    contentType: 'text/plain',
    filename: key,
    limitBytes: 1_000_000,
    digest: false,
  };
  return { done: storeStream(deps, target, source()), end: gate.resolve };
}

const rest = () => new Promise(setImmediate);

test('large files are taken in a few at a time, the next one when one of them is stored, and small ones at once', async () => {
  const first = Array.from({ length: most }, (_, i) => begin(`first-${i}`, large));
  const next = begin('next', large);
  next.end();
  const small = begin('small', 200_000);
  small.end();
  await small.done;
  await rest();
  expect([...stored.keys()]).toEqual(['small']);
  first[0]!.end();
  await next.done;
  expect(stored.get('next')).toBe(large);
  for (const { end } of first) end();
  await Promise.all(first.map(({ done }) => done));
  expect(stored.size).toBe(most + 2);
});

test('a large file that waits for too long is refused, leaves nothing, and gives up its place', async () => {
  const first = Array.from({ length: most }, (_, i) => begin(`first-${i}`, large));
  await rest();
  const refused = begin('refused', large);
  const ended = expect(refused.done).rejects.toMatchObject({ code: 'storage_unavailable' });
  await rest();
  late.abort(new Error('too late'));
  await ended;
  for (const { end } of first) end();
  await Promise.all(first.map(({ done }) => done));
  expect(stored.has('refused')).toBe(false);
  late = new AbortController();
  const again = begin('again', large);
  again.end();
  await again.done;
});
