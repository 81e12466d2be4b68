import { expect, test } from 'vitest';
import { describeSupport } from './support.ts';

test.each([
  [1, 'well supported, 1.00'],
  [0.93, 'well supported, 0.93'],
  [0.7999, 'supported, 0.79'],
  [0.5, 'supported, 0.50'],
  [0.29, 'weakly supported, 0.29'],
  [0.499, 'weakly supported, 0.49'],
  [0, 'not supported, 0.00'],
])('support of %d reads as a word and a number that fit each other', (support, text) => {
  expect(describeSupport(support).text).toBe(text);
});
