import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calibrate, probabilitiesAt } from '../probabilities.ts';
import { draw } from '../test-support/draw.ts';
import { type Fit, fitTemperature, fitWithOffset, isAtBound, type Sample } from './fit.ts';
import { foldCount } from './folds.ts';
import { measure } from './measures.ts';
import { holdOut } from './report.ts';
import { seeded } from './seeded.ts';

/** Answers of a model whose logprobs are those of the truth times `sharpness`. */
function samplesOf(size: number, seed: number, sharpness: number): Sample[] {
  const random = seeded(seed);
  return Array.from({ length: size }, () => {
    const truth = Array.from({ length: 2 + Math.floor(random() * 4) }, () => -4 * random());
    const answer = draw(probabilitiesAt(truth), random);
    return { type: 'choice', logprobs: truth.map((logprob) => logprob * sharpness), answer };
  });
}

const anySamples = fc.array(
  fc.array(fc.double({ min: -30, max: 0, noNaN: true }), { minLength: 2, maxLength: 6 }).chain((logprobs) =>
    fc.record({
      type: fc.constant(logprobs.length === 2 ? ('noul' as const) : ('choice' as const)),
      logprobs: fc.constant(logprobs),
      answer: fc.nat(logprobs.length - 1),
    }),
  ),
  { minLength: 1, maxLength: 30 },
);

const lossAt = (samples: readonly Sample[], fit: Fit): number =>
  measure(samples.map((sample) => ({ ...sample, probabilities: calibrate(sample, sample.logprobs, fit) })))
    .nll;

describe('the fit', () => {
  test('recovers a known temperature to 10 % from 6,000 cases', () => {
    const sharpness = fc.double({ min: 0.2, max: 8, noNaN: true });
    fc.assert(
      fc.property(fc.integer(), sharpness, (seed, known) => {
        const error = fitTemperature(samplesOf(6_000, seed, known)) / known - 1;
        // Five times the standard deviation of a fit to so many cases.
        expect(Math.abs(error)).toBeLessThan(0.1);
      }),
      { numRuns: 10 },
    );
  });

  test('finds no worse a temperature than any other', () => {
    fc.assert(
      fc.property(anySamples, fc.double({ min: 0.05, max: 20, noNaN: true }), (samples, other) => {
        const fitted = lossAt(samples, { temperature: fitTemperature(samples) });
        expect(fitted).toBeLessThanOrEqual(lossAt(samples, { temperature: other }) * (1 + 1e-6) + 1e-6);
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
    const hotter = samples.map((sample) => ({
      ...sample,
      logprobs: sample.logprobs.map((logprob) => logprob / 1.5),
    }));
    expect(fitTemperature(hotter) * 1.5).toBeCloseTo(fitTemperature(samples), 2);
  });

  test('ends at a bound if the cases cannot tell a temperature', () => {
    expect(fitTemperature([{ type: 'choice', logprobs: [0, -1], answer: 0 }])).toBe(0.05);
    expect(fitTemperature([{ type: 'choice', logprobs: [0, -1], answer: 1 }])).toBe(20);
    expect([0.05, 20, 1].map((temperature) => isAtBound({ temperature }))).toEqual([true, true, false]);
    expect(isAtBound({ temperature: 1, offset: -20 })).toBe(true);
  });

  test('is 1 for a model that prefers nothing, and for no cases', () => {
    expect(fitTemperature([{ type: 'choice', logprobs: [-1, -1], answer: 0 }])).toBe(1);
    expect(fitTemperature([])).toBe(1);
  });
});

describe('the fit with an offset', () => {
  /** Answers of a model whose log-odds of yes are `sharpness` times (the truth's minus `shift`). */
  const shiftedNouls = (size: number, seed: number, sharpness: number, shift: number): Sample[] => {
    const random = seeded(seed);
    return Array.from({ length: size }, () => {
      const logOdds = 6 * random() - 3;
      const answer = draw(probabilitiesAt([logOdds, 0]), random);
      return { type: 'noul', logprobs: [sharpness * (logOdds - shift), 0], answer };
    });
  };

  test('recovers a known temperature and a known offset from 2,000 cases', () => {
    const known = {
      sharpness: fc.double({ min: 0.3, max: 4, noNaN: true }),
      shift: fc.double({ min: -2, max: 2, noNaN: true }),
    };
    fc.assert(
      fc.property(fc.integer(), known.sharpness, known.shift, (seed, sharpness, shift) => {
        const fit = fitWithOffset(shiftedNouls(2_000, seed, sharpness, shift));
        expect(Math.abs(fit.temperature / sharpness - 1)).toBeLessThan(0.25);
        expect(Math.abs(fit.offset - shift)).toBeLessThan(0.5);
      }),
      { numRuns: 10 },
    );
  });

  test('finds no worse a pair than any other', () => {
    const temperature = fc.double({ min: 0.05, max: 20, noNaN: true });
    const offset = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(anySamples, temperature, offset, (samples, temperature, offset) => {
        const fitted = lossAt(samples, fitWithOffset(samples));
        expect(fitted).toBeLessThanOrEqual(lossAt(samples, { temperature, offset }) * (1 + 1e-4) + 1e-4);
      }),
    );
  });

  test('is the fit without one where there is no noul', () => {
    const samples = samplesOf(300, 5, 2);
    expect(fitWithOffset(samples)).toEqual({ temperature: fitTemperature(samples), offset: 0 });
  });
});

test('does not use a held-out case for that case’s own fit', () => {
  const samples = samplesOf(100, 3, 3);
  const folds = samples.map((_, index) => index % foldCount);
  const changed = samples.map((sample, index) =>
    folds[index] === 2 ? { ...sample, answer: sample.answer === 0 ? 1 : 0 } : sample,
  );
  const before = holdOut(samples, folds);
  const after = holdOut(changed, folds);
  for (const way of ['heldOut', 'heldOutWithOffset'] as const) {
    const moved = before[way].flatMap(({ probabilities }, index) =>
      probabilities.join() === after[way][index]?.probabilities.join() ? [] : folds[index],
    );
    expect(moved).not.toContain(2);
    expect(moved.length).toBeGreaterThan(0);
  }
});
