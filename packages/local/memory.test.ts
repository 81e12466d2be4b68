import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { hasLittleMemory } from './memory.ts';

test('documents are converted one after the other where two threads and the process do not fit', () => {
  const thread = 2 * limits.documentConversionMegabytes + 2 * limits.threadYoungMegabytes;
  expect(hasLittleMemory(limits.simultaneousThreads * thread * 2 ** 20)).toBe(true);
  expect(hasLittleMemory(1024 * 2 ** 20)).toBe(true);
  expect(hasLittleMemory(4096 * 2 ** 20)).toBe(false);
});
