import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('slots are given in the order of the calls, and a caller that gives up leaves the queue', async () => {
  const { take } = createSlots(1);
  const giveBack = await take();
  const leaving = new AbortController();
  const left = take(leaving.signal);
  const next = take();
  leaving.abort();
  await expect(left).rejects.toThrow();
  giveBack();
  (await next)();
  expect(await take()).toBeTypeOf('function');
});

test('a caller that gives up in the moment in which it gets its slot takes nobody else out of the queue', async () => {
  const { take } = createSlots(1);
  const giveBack = await take();
  const leaving = new AbortController();
  const second = take(leaving.signal);
  const third = take();
  giveBack();
  leaving.abort();
  (await second)();
  (await third)();
});

test('slots are handed on in order, and never more than there are', async () => {
  const slots = createSlots(1);
  const order: string[] = [];
  const first = await slots.take();
  const second = slots.take().then((release) => {
    order.push('second');
    return release;
  });
  const third = slots.take().then(() => order.push('third'));
  expect(order).toEqual([]);
  first();
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('one who waits holding none is served before one who holds some, whoever came first', async () => {
  const { take } = createSlots(2);
  const order: string[] = [];
  const [first] = await Promise.all([take(undefined, 'busy'), take(undefined, 'busy')]);
  const waiting = ['busy', 'busy', 'other'].map(async (owner) => {
    const release = await take(undefined, owner);
    order.push(owner);
    release();
  });
  first?.();
  await Promise.all(waiting);
  expect(order).toEqual(['other', 'busy', 'busy']);
});
