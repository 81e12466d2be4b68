import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('items are worked on in their order, and never more at a time than the bound', async () => {
  const begun: [string, number][] = [];
  let under = 0;
  let most = 0;
  await inParallel([...'abcdefg'], 3, async (item, index) => {
    begun.push([item, index]);
    most = Math.max(most, ++under);
    await new Promise(setImmediate);
    under--;
  });
  expect(begun).toEqual([...'abcdefg'].map((item, index) => [item, index]));
  expect(most).toBe(3);
});

test('the first failure is thrown, and an empty list does not fail', async () => {
  const fail = (item: number) => Promise.reject(new Error(`item ${item}`));
  await expect(inParallel([1, 2], 1, fail)).rejects.toThrow('item 1');
  await inParallel([], 3, fail);
});
