import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseLogprobs, probabilitiesAt } from './probabilities.ts';

const logprobs = fc.array(fc.double({ min: -1_000, max: 0, noNaN: true }), { minLength: 2, maxLength: 255 });
const temperature = fc.double({ min: 0.05, max: 20, noNaN: true });

test('no temperature makes another option the most likely one', () => {
  fc.assert(
    fc.property(logprobs, temperature, (read, t) => {
      const probabilities = probabilitiesAt(read, t);
      expect(probabilities[read.indexOf(Math.max(...read))]).toBe(Math.max(...probabilities));
    }),
  );
});

test('probabilities at any temperature sum to 1', () => {
  fc.assert(
    fc.property(logprobs, temperature, (read, t) => {
      expect(probabilitiesAt(read, t).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
    }),
  );
});

test('the temperature 1, and none, change no bit', () => {
  fc.assert(
    fc.property(logprobs, (read) => {
      expect(probabilitiesAt(read, 1)).toEqual(normaliseLogprobs(read));
      expect(probabilitiesAt(read)).toEqual(normaliseLogprobs(read));
    }),
  );
});

test('a higher temperature makes the most likely option less sure', () => {
  expect(Math.max(...probabilitiesAt([0, -2], 2))).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
  expect(Math.max(...probabilitiesAt([0, -2], 0.5))).toBeCloseTo(1 / (1 + Math.exp(-4)), 12);
});

test('an option that a server left out altogether stays impossible', () => {
  expect(probabilitiesAt([0, Number.NEGATIVE_INFINITY], 20)).toEqual([1, 0]);
});
