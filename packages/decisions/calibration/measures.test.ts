import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../test-support/draw.ts';
import { type Judged, leastProbability, logprobOf, measure } from './measures.ts';
import { seeded } from './seeded.ts';

test('the measures of a few cases are those computed by hand', () => {
  const cases: Judged[] = [
    { type: 'noul', probabilities: [0.9, 0.1], answer: 0 },
    { type: 'noul', probabilities: [0.95, 0.05], answer: 1 },
    { type: 'choice', probabilities: [0.2, 0.25, 0.55], answer: 2 },
    { type: 'noul', probabilities: [1, 0], answer: 0 },
  ];
  const { bins, ...measures } = measure(cases);
  expect(measures.accuracy).toBe(0.75);
  expect(measures.brier).toBeCloseTo((0.02 + 2 * 0.95 ** 2 + (0.04 + 0.0625 + 0.45 ** 2)) / 4, 12);
  expect(measures.ece).toBeCloseTo((3 * (0.95 - 2 / 3) + (1 - 0.55)) / 4, 12);
  expect(measures.nll).toBeCloseTo(-(Math.log(0.9) + Math.log(0.05) + Math.log(0.55)) / 4, 12);
  // The base rates of yes are 2 of 3; the one choice is always its own base rate.
  expect(measures.brierSkill).toBeCloseTo(1 - (measures.brier * 4) / (3 * (4 / 9)), 12);
  expect(measures.auroc).toBe(0.5);
  expect({ precision: measures.precision, recall: measures.recall }).toEqual({ precision: 2 / 3, recall: 1 });
  expect(measure(cases, 0.92)).toMatchObject({ precision: 0.5, recall: 0.5 });
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
    const type = weights.length === 2 ? ('noul' as const) : ('choice' as const);
    return fc.record({
      type: fc.constant(type),
      probabilities: fc.constant(probabilities),
      answer: fc.nat(weights.length - 1),
    });
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

const nouls = fc
  .array(fc.record({ twentieths: fc.integer({ min: 0, max: 20 }), isYes: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((all) => all.map(({ twentieths, isYes }) => noul(twentieths / 20, isYes)));

const noul = (yes: number, isYes: boolean): Judged => ({
  type: 'noul',
  probabilities: [yes, 1 - yes],
  answer: isYes ? 0 : 1,
});

test('the AUROC is the share of pairs of a yes and a no that are in order, a tie counting half', () => {
  fc.assert(
    fc.property(nouls, (cases) => {
      const yesOf = (answer: number) =>
        cases.filter((judged) => judged.answer === answer).map(({ probabilities }) => probabilities[0] ?? 0);
      const pairs = yesOf(0).flatMap((yes) => yesOf(1).map((no) => (yes > no ? 1 : yes === no ? 0.5 : 0)));
      const won = pairs.reduce<number>((sum, pair) => sum + pair, 0);
      const share = expect.closeTo(won / pairs.length, 12);
      expect(measure(cases).auroc).toEqual(pairs.length === 0 ? undefined : share);
    }),
  );
});

test('the AUROC depends on the order of the probabilities alone', () => {
  fc.assert(
    fc.property(nouls, (cases) => {
      const bent = cases.map(({ probabilities: [yes = 0], answer }) => noul(yes ** 3, answer === 0));
      expect(measure(bent).auroc).toBe(measure(cases).auroc);
    }),
  );
});

test('a judge that says the base rates has no skill', () => {
  fc.assert(
    fc.property(fc.array(judged, { minLength: 1, maxLength: 50 }), (cases) => {
      const alike = Map.groupBy(cases, ({ probabilities }) => probabilities.length);
      const said = [...alike.values()].flatMap((some) =>
        some.map((one) => ({
          ...one,
          probabilities: one.probabilities.map(
            (_, option) => some.filter(({ answer }) => answer === option).length / some.length,
          ),
        })),
      );
      const { brierSkill = 0 } = measure(said);
      expect(brierSkill).toBeCloseTo(0, 9);
    }),
  );
});

test('no judge has more skill than the one who is certain and right', () => {
  fc.assert(
    fc.property(fc.array(judged, { minLength: 1, maxLength: 50 }), (cases) => {
      const { brierSkill } = measure(cases);
      if (brierSkill === undefined) return;
      const sure = cases.map((one) => ({
        ...one,
        probabilities: one.probabilities.map((_, option) => (option === one.answer ? 1 : 0)),
      }));
      expect(measure(sure).brierSkill).toBe(1);
      expect(brierSkill).toBeLessThanOrEqual(1);
    }),
  );
});

test('a judge that says 0.9 to everything, of which 90 % is yes, is calibrated and knows nothing', () => {
  const cases = Array.from({ length: 50 }, (_, index) => noul(0.9, index % 10 !== 0));
  const { ece, brierSkill, auroc, precision, recall } = measure(cases);
  expect(ece).toBeCloseTo(0, 12);
  expect(brierSkill).toBeCloseTo(0, 12);
  expect({ auroc, precision, recall }).toEqual({ auroc: 0.5, precision: 0.9, recall: 1 });
});

test('precision and recall are counted at the threshold', () => {
  fc.assert(
    fc.property(nouls, fc.integer({ min: 0, max: 20 }), (cases, twentieths) => {
      const threshold = twentieths / 20;
      const said = cases.filter(({ probabilities: [yes = 0] }) => yes >= threshold);
      const isYes = cases.filter(({ answer }) => answer === 0);
      const right = said.filter((one) => isYes.includes(one)).length;
      expect(measure(cases, threshold)).toMatchObject({
        precision: said.length === 0 ? undefined : right / said.length,
        recall: isYes.length === 0 ? undefined : right / isYes.length,
      });
    }),
  );
});

test('choices and scores have no AUROC, precision or recall', () => {
  const { auroc, precision, recall } = measure([{ type: 'score', probabilities: [0.5, 0.5], answer: 0 }]);
  expect([auroc, precision, recall]).toEqual([undefined, undefined, undefined]);
});

/** Cases whose answers come as often as the first probabilities say; the model says the second ones. */
function source(size: number, seed: number, distort: (p: number) => number): Judged[] {
  const random = seeded(seed);
  return Array.from({ length: size }, () => {
    const yes = random();
    const said = distort(yes);
    return { type: 'noul', probabilities: [said, 1 - said], answer: draw([yes, 1 - yes], random) };
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
