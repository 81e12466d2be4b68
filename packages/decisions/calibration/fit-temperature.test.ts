import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { probabilitiesAt } from '../probabilities.ts';
import { draw, seeded } from '../test-support/seeded.ts';
import { fitTemperature, isAtBound, type Sample } from './fit-temperature.ts';
import { measure } from './measures.ts';
import { holdOut } from './report.ts';

/** Answers of a model whose logprobs are those of the truth times `sharpness`. */
function samplesOf(size: number, seed: number, sharpness: number): Sample[] {
  const random = seeded(seed);
  return Array.from({ length: size }, () => {
    const truth = Array.from({ length: 2 + Math.floor(random() * 4) }, () => -4 * random());
    const answer = draw(probabilitiesAt(truth), random);
    return { logprobs: truth.map((logprob) => logprob * sharpness), answer };
  });
}

const anySamples = fc.array(
  fc
    .array(fc.double({ min: -30, max: 0, noNaN: true }), { minLength: 2, maxLength: 6 })
    .chain((logprobs) => fc.record({ logprobs: fc.constant(logprobs), answer: fc.nat(logprobs.length - 1) })),
  { minLength: 1, maxLength: 30 },
);

const lossAt = (samples: readonly Sample[], temperature: number): number =>
  measure(
    samples.map(({ logprobs, answer }) => ({
      probabilities: probabilitiesAt(logprobs, temperature),
      answer,
    })),
  ).nll;

describe('the fit', () => {
  test('recovers a known temperature to 10 % from 3,000 cases', () => {
    const sharpness = fc.double({ min: 0.2, max: 8, noNaN: true });
    fc.assert(
      fc.property(fc.integer(), sharpness, (seed, known) => {
        const error = fitTemperature(samplesOf(3_000, seed, known)) / known - 1;
        expect(Math.abs(error)).toBeLessThan(0.1);
      }),
      { numRuns: 20 },
    );
  });

  test('finds no worse a temperature than any other', () => {
    fc.assert(
      fc.property(anySamples, fc.double({ min: 0.05, max: 20, noNaN: true }), (samples, other) => {
        const fitted = lossAt(samples, fitTemperature(samples));
        expect(fitted).toBeLessThanOrEqual(lossAt(samples, other) * (1 + 1e-6) + 1e-6);
      }),
    );
  });

  test('does not depend on the order of the cases', () => {
    fc.assert(
      fc.property(anySamples, (samples) => {
        expect(fitTemperature(samples.toReversed())).toBeCloseTo(fitTemperature(samples), 3);
      }),
    );
  });

  test('is absolute: answers read at another temperature give a proportional temperature', () => {
    const samples = samplesOf(500, 7, 2);
    const hotter = samples.map(({ logprobs, answer }) => ({
      logprobs: logprobs.map((l) => l / 1.5),
      answer,
    }));
    expect(fitTemperature(hotter) * 1.5).toBeCloseTo(fitTemperature(samples), 2);
  });

  test('ends at a bound if the cases cannot tell a temperature', () => {
    expect(fitTemperature([{ logprobs: [0, -1], answer: 0 }])).toBe(0.05);
    expect(fitTemperature([{ logprobs: [0, -1], answer: 1 }])).toBe(20);
    expect([0.05, 20, 1].map(isAtBound)).toEqual([true, true, false]);
  });

  test('is 1 for a model that prefers nothing, and for no cases', () => {
    expect(fitTemperature([{ logprobs: [-1, -1], answer: 0 }])).toBe(1);
    expect(fitTemperature([])).toBe(1);
  });
});

test('does not use a held-out case for that case’s own temperature', () => {
  const samples = samplesOf(100, 3, 3);
  const changed = samples.map((sample, index) =>
    index % 5 === 2 ? { ...sample, answer: sample.answer === 0 ? 1 : 0 } : sample,
  );
  const before = holdOut(samples);
  const after = holdOut(changed);
  const differs = before.map(
    ({ probabilities }, index) => probabilities.join() !== after[index]?.probabilities.join(),
  );
  expect(differs.map((differ, index) => (differ ? index % 5 : -1))).not.toContain(2);
  expect(differs).toContain(true);
});
