import { expect, test } from 'vitest';
import { leastProbability, logprobOf } from './logprob.ts';

test('the logarithm of a probability is finite, of zero too', () => {
  expect(logprobOf(0)).toBe(Math.log(leastProbability));
  expect(logprobOf(0.5)).toBe(Math.log(0.5));
});
