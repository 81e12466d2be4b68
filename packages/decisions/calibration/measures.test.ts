import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw, seeded } from '../test-support/seeded.ts';
import { type Judged, leastProbability, logprobOf, measure } from './measures.ts';

test('the measures of a few cases are those computed by hand', () => {
  const cases: Judged[] = [
    { probabilities: [0.9, 0.1], answer: 0 },
    { probabilities: [0.95, 0.05], answer: 1 },
    { probabilities: [0.2, 0.25, 0.55], answer: 2 },
    { probabilities: [1, 0], answer: 0 },
  ];
  const { bins, ...measures } = measure(cases);
  expect(measures.accuracy).toBe(0.75);
  expect(measures.brier).toBeCloseTo((0.02 + 2 * 0.95 ** 2 + (0.04 + 0.0625 + 0.45 ** 2)) / 4, 12);
  expect(measures.ece).toBeCloseTo((3 * (0.95 - 2 / 3) + (1 - 0.55)) / 4, 12);
  expect(measures.nll).toBeCloseTo(-(Math.log(0.9) + Math.log(0.05) + Math.log(0.55)) / 4, 12);
  expect(bins).toHaveLength(10);
  expect(bins[5]).toEqual({ from: 0.5, to: 0.6, cases: 1, confidence: 0.55, accuracy: 1 });
  expect(bins[9]).toMatchObject({ from: 0.9, to: 1, cases: 3, accuracy: 2 / 3 });
  expect(bins[0]).toEqual({ from: 0, to: 0.1, cases: 0 });
});

const judged = fc
  .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 10 })
  .filter((weights) => weights.some((weight) => weight > 0))
  .chain((weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const probabilities = weights.map((weight) => weight / total);
    return fc.record({ probabilities: fc.constant(probabilities), answer: fc.nat(weights.length - 1) });
  });

test('every case is in one bin, and every measure in its range', () => {
  fc.assert(
    fc.property(fc.array(judged, { minLength: 1, maxLength: 50 }), (cases) => {
      const { accuracy, brier, ece, nll, bins } = measure(cases);
      expect(bins.reduce((sum, bin) => sum + bin.cases, 0)).toBe(cases.length);
      for (const share of [accuracy, brier / 2, ece]) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1 + 1e-12);
      }
      expect(nll).toBeGreaterThanOrEqual(0);
      expect(nll).toBeLessThan(Infinity);
    }),
  );
});

/** Cases whose answers come as often as the first probabilities say; the model says the second ones. */
function source(size: number, seed: number, distort: (p: number) => number): Judged[] {
  const random = seeded(seed);
  return Array.from({ length: size }, () => {
    const yes = random();
    const said = distort(yes);
    return { probabilities: [said, 1 - said], answer: draw([yes, 1 - yes], random) };
  });
}

test('the calibration error of a source that is as right as it says tends to 0', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(measure(source(20_000, seed, (yes) => yes)).ece).toBeLessThan(0.02);
    }),
    { numRuns: 10 },
  );
});

test('the calibration error of a source that is surer than right does not', () => {
  const sharpened = (yes: number) => yes ** 4 / (yes ** 4 + (1 - yes) ** 4);
  expect(measure(source(20_000, 1, sharpened)).ece).toBeGreaterThan(0.1);
});

test('the logarithm of a probability is finite, of zero too', () => {
  expect(logprobOf(0)).toBe(Math.log(leastProbability));
  expect(logprobOf(0.5)).toBe(Math.log(0.5));
});
