import { expect, test } from 'vitest';
import { describeSupport } from './support.ts';

test.each([
  [1, '1.00, well supported'],
  [0.93, '0.93, well supported'],
  [0.7999, '0.79, supported'],
  [0.5, '0.50, supported'],
  [0.29, '0.29, weakly supported'],
  [0.499, '0.49, weakly supported'],
  [0, '0.00, not supported'],
])('support of %d reads as a word and a number that fit each other', (support, text) => {
  expect(describeSupport(support).text).toBe(text);
});
