import { allowOneThread, limits } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FetchError } from './failure.ts';
import { guardedFetch } from './fetch.ts';
import { holdBody } from './hold-body.ts';
import { startServer } from './test-support/http-server.ts';

let undo: () => void;
beforeEach(() => {
  undo = allowOneThread();
});
afterEach(() => {
  undo();
  vi.useRealTimers();
});

async function* bodyOf(bytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += 1_000_000) yield new Uint8Array(Math.min(1_000_000, bytes - sent));
}

const large = limits.pageBytes + 1;

/** Whether the promise settles before the tasks that are waiting now have run. */
const isSettled = (promise: Promise<unknown>) =>
  Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);

test('a second large body waits for the first if there is memory for one', async () => {
  const first = await holdBody({ body: bodyOf(large) }, {});
  const second = holdBody({ body: bodyOf(large) }, {});
  expect(await isSettled(second)).toBe(false);
  expect((await holdBody({ body: bodyOf(limits.pageBytes) }, {})).bytes).toHaveLength(limits.pageBytes);
  first.release();
  expect((await second).bytes).toHaveLength(large);
  (await second).release();
});

test('where pages wait for the only thread, a few are in memory, and small ones do not wait for these', async () => {
  const page = () => holdBody({ body: bodyOf(limits.pageBytes) }, {});
  const held = await Promise.all(Array.from({ length: limits.waitingBodiesAtOnce }, page));
  const next = page();
  expect(await isSettled(next)).toBe(false);
  expect((await holdBody({ body: bodyOf(limits.waitingBodyBytes) }, {})).bytes).toHaveLength(
    limits.waitingBodyBytes,
  );
  held[0]!.release();
  expect((await next).bytes).toHaveLength(limits.pageBytes);
  undo();
  expect((await page()).bytes).toHaveLength(limits.pageBytes);
});

test('a large body that is refused or broken off frees its memory', async () => {
  const refused = holdBody(
    { body: bodyOf(large) },
    {
      onLarge: () => {
        throw new FetchError('too_large');
      },
    },
  );
  await expect(refused).rejects.toThrow(FetchError);
  async function* broken() {
    yield* bodyOf(large);
    throw new Error('cut off');
  }
  await expect(holdBody({ body: broken() }, {})).rejects.toThrow('cut off');
  (await holdBody({ body: bodyOf(large) }, {})).release();
});

test('a body that waits for memory ends with its signal', async () => {
  const first = await holdBody({ body: bodyOf(large) }, {});
  const gone = new AbortController();
  const second = holdBody({ body: bodyOf(large) }, { signal: gone.signal });
  gone.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  first.release();
});

test('bytes that were given away can be freed', async () => {
  const held = await holdBody({ body: bodyOf(10) }, {});
  expect(held.give()).toHaveLength(10);
  expect(held.bytes).toHaveLength(0);
});

test('the time limit of a fetch does not count the time that the reader takes', async () => {
  await using server = await startServer((_, response) => {
    response.write('begun, ');
    response.end('ended');
  });
  const limited = { totalMilliseconds: 2_000 };
  const response = await guardedFetch(
    { allowedHosts: server.allowed },
    { url: `${server.url}/`, limits: limited },
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    vi.advanceTimersByTime(60_000);
  }
  expect(text).toBe('begun, ended');
});

test('a process holds a few large bodies at once, and the next one waits until one of them is read', async () => {
  undo();
  const held = await Promise.all(
    Array.from({ length: limits.largeBodiesAtOnce }, () => holdBody({ body: bodyOf(large) }, {})),
  );
  const next = holdBody({ body: bodyOf(large) }, {});
  expect(await isSettled(next)).toBe(false);
  held[0]!.release();
  expect((await next).bytes).toHaveLength(large);
  for (const body of [...held, await next]) body.release();
});
