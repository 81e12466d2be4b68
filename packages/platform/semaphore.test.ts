import { expect, test } from 'vitest';
import { setLimit } from '../../test/support/set-limit.ts';
import { createSemaphore, takeWhileAsked } from './semaphore.ts';

test('slots are given in the order of the calls, and a caller that gives up leaves the queue', async () => {
  const { take } = createSemaphore(1);
  const giveBack = await take();
  const leaving = new AbortController();
  const left = take({ signal: leaving.signal });
  const next = take();
  leaving.abort();
  await expect(left).rejects.toThrow();
  giveBack();
  (await next)();
  expect(await take()).toBeTypeOf('function');
});

test('a caller that gives up just as it gets its slot removes no other caller from the queue', async () => {
  const { take } = createSemaphore(1);
  const giveBack = await take();
  const leaving = new AbortController();
  const second = take({ signal: leaving.signal });
  const third = take();
  giveBack();
  leaving.abort();
  (await second)();
  (await third)();
});

test('slots are handed on in order, and never more than there are', async () => {
  const { take } = createSemaphore(1);
  const order: string[] = [];
  const first = await take();
  const second = take().then((release) => {
    order.push('second');
    return release;
  });
  const third = take().then(() => order.push('third'));
  expect(order).toEqual([]);
  first();
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('an owner without slots is served before an owner with slots, whoever came first', async () => {
  const { take } = createSemaphore(2);
  const order: string[] = [];
  const [first] = await Promise.all([take({ owner: 'busy' }), take({ owner: 'busy' })]);
  const waiting = ['busy', 'busy', 'other'].map(async (owner) => {
    const release = await take({ owner });
    order.push(owner);
    release();
  });
  first?.();
  await Promise.all(waiting);
  expect(order).toEqual(['other', 'busy', 'busy']);
});

test('owners with equally many slots take turns, however many callers of one owner came first', async () => {
  const { take } = createSemaphore(1);
  const order: string[] = [];
  const first = await take();
  const waiting = ['busy', 'busy', 'busy', 'other'].map(async (owner) => {
    const release = await take({ owner });
    order.push(owner);
    release();
  });
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['busy', 'other', 'busy', 'busy']);
});

test('a caller that gives up leaves its owner’s other callers in the queue, and the last leaves no trace', async () => {
  const { take } = createSemaphore(1);
  const giveBack = await take({ owner: 'holder' });
  const [leaving, leavingToo] = [new AbortController(), new AbortController()];
  const left = take({ owner: 'one', signal: leaving.signal });
  const stays = take({ owner: 'one' });
  const leftToo = take({ owner: 'two', signal: leavingToo.signal });
  leaving.abort();
  leavingToo.abort();
  await Promise.all([expect(left).rejects.toThrow(), expect(leftToo).rejects.toThrow()]);
  giveBack();
  (await stays)();
  expect(await take({ owner: 'two' })).toBeTypeOf('function');
});

test('a request that gets no slot until it must be answered is refused, and leaves the queue', async () => {
  const semaphore = createSemaphore(1);
  const giveBack = await semaphore.take();
  setLimit('answerMilliseconds', 1);
  await expect(takeWhileAsked(semaphore, 'one')).rejects.toMatchObject({ code: 'store_unavailable' });
  giveBack();
  expect(await semaphore.take()).toBeTypeOf('function');
});
