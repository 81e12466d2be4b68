import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostLikely } from '../confidence.ts';
import { probabilitiesAt } from '../probabilities.ts';
import { draw } from '../test-support/draw.ts';
import { decisionModel } from '../test-support/models.ts';
import { drawFolds, foldCount } from './folds.ts';
import { type Read, reportCalibration } from './report.ts';
import { seeded } from './seeded.ts';

/** Answers of a model that is twice as sure as it is right. */
function readsOf(size: number): Read[] {
  const random = seeded(size);
  return Array.from({ length: size }, (_, index) => {
    const truth = [-2 * random(), -2 * random(), -2 * random()];
    const type = index % 2 === 0 ? 'choice' : 'score';
    const id = index % 4 < 2 ? 'urgency' : 'kind';
    return {
      type,
      id,
      probabilities: probabilitiesAt(truth, 0.5),
      answer: draw(probabilitiesAt(truth), random),
    };
  });
}

const reader = decisionModel('http://127.0.0.1', 'prompt_logprobs');

test('a temperature that improves a model is reported for its entry of the catalogue', () => {
  const report = reportCalibration(reader, readsOf(4_000));
  expect(report.temperature).toBeGreaterThan(1.8);
  expect(report.temperature).toBeLessThan(2.2);
  expect(report.catalogue).toEqual({ calibration: { temperature: report.temperature } });
  expect(report.heldOut.ece).toBeLessThan(report.ece / 2);
  expect(report.heldOut.accuracy).toBe(report.accuracy);
  expect(report.warnings).toEqual([]);
});

test('a kind has the measures of its own cases', () => {
  const reads = readsOf(200);
  const { byKind, cases } = reportCalibration(reader, reads);
  const scores = reportCalibration(
    reader,
    reads.filter(({ type }) => type === 'score'),
  );
  expect(cases).toBe(200);
  expect(Object.keys(byKind)).toEqual(['choice', 'score']);
  const { heldOut: _, ...own } = byKind.score!;
  expect(scores).toMatchObject(own);
});

test('a question has the measures of its own cases', () => {
  const reads = readsOf(200);
  const { byQuestion } = reportCalibration(reader, reads);
  const own = reportCalibration(
    reader,
    reads.filter(({ id }) => id === 'kind'),
  );
  expect(Object.keys(byQuestion)).toEqual(['urgency', 'kind']);
  const { heldOut: _, ...kind } = byQuestion.kind!;
  expect(own).toMatchObject(kind);
});

/** A `noul` of which a model says 0.9, and which is as it says in nine of ten cases. */
const sayingNine = (index: number, isRight: boolean): Read => {
  const yes = index % 2 === 0;
  return {
    type: 'noul',
    id: 'late',
    probabilities: yes ? [0.9, 0.1] : [0.1, 0.9],
    answer: yes === isRight ? 0 : 1,
  };
};

test('cases that come periodically are held out of the fit as well as any others', () => {
  const reads = Array.from({ length: 500 }, (_, index) => sayingNine(index, index % 5 !== 0));
  const { heldOut, temperature } = reportCalibration(reader, reads);
  const fitted = reportCalibration(withTemperature(temperature), reads);
  expect(heldOut.nll).toBeLessThan(fitted.nll * 1.05);
});

test('copies of a case that have a group are not held out by each other', () => {
  // Each answer is there 20 times. Whoever has seen one of the copies knows the others.
  const reads = Array.from({ length: 500 }, (_, index) =>
    sayingNine(index, Math.floor(index / 20) % 5 !== 0),
  );
  const grouped = reads.map((read, index) => ({ ...read, group: `g${Math.floor(index / 20)}` }));
  const folds = drawFolds(
    grouped.map(({ group }) => group),
    1,
  );
  for (const [index, { group }] of grouped.entries())
    for (const [other, { group: same }] of grouped.entries())
      if (group === same) expect(folds[other]).toBe(folds[index]);
  expect(reportCalibration(reader, grouped).heldOut.nll).not.toBe(
    reportCalibration(reader, reads).heldOut.nll,
  );
});

test('folds are drawn by the seed alone, and are as large as each other', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 200 }), (seed, size) => {
      const groups = Array<undefined>(size).fill(undefined);
      const folds = drawFolds(groups, seed);
      expect(drawFolds(groups, seed)).toEqual(folds);
      const sizes = Array.from({ length: foldCount }, (_, fold) => folds.filter((at) => at === fold).length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
  const groups = Array<undefined>(100).fill(undefined);
  expect(drawFolds(groups, 1)).not.toEqual(drawFolds(groups, 2));
});

test('cases of fewer groups than folds get a warning', () => {
  const reads = readsOf(200).map((read, index) => ({ ...read, group: `g${index % 3}` }));
  expect(reportCalibration(reader, reads).warnings).toEqual([expect.stringMatching(/^Only 3 groups/)]);
});

describe('a model that says yes too readily', () => {
  const biased = (size: number, bias: number): Read[] => {
    const random = seeded(size);
    return Array.from({ length: size }, () => {
      const logOdds = 6 * random() - 3;
      const answer = draw(probabilitiesAt([logOdds, 0]), random);
      return { type: 'noul', id: 'late', probabilities: probabilitiesAt([2 * (logOdds + bias), 0]), answer };
    });
  };

  test('gets an offset for the catalogue, which makes its held-out answers likelier than a temperature alone', () => {
    const { temperature, withOffset, catalogue, heldOut } = reportCalibration(reader, biased(2_000, 1.5));
    expect(withOffset?.offset).toBeGreaterThan(-1.8);
    expect(withOffset?.offset).toBeLessThan(-1.2);
    expect(withOffset?.temperature).toBeCloseTo(2, 0);
    expect(catalogue).toEqual({
      calibration: { temperature: withOffset?.temperature, offset: withOffset?.offset },
    });
    expect(temperature).not.toBe(withOffset?.temperature);
    expect(withOffset?.heldOut.nll).toBeLessThan(heldOut.nll);
    expect(withOffset?.heldOut.auroc).toBeCloseTo(heldOut.auroc ?? 0, 1);
  });

  test('keeps the offset once the catalogue has it', () => {
    const reads = biased(2_000, 1.5);
    const { catalogue } = reportCalibration(reader, reads);
    const again = reportCalibration({ ...reader, calibration: catalogue?.calibration }, reads);
    expect(again.offsetBefore).toBe(catalogue?.calibration.offset);
    expect(again.catalogue).toEqual(catalogue);
    expect(again.warnings).toEqual([]);
    expect(again.ece).toBeLessThan(0.05);
  });

  test('gets none where a temperature alone does as well', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 900 }), (size) => {
        const { withOffset, catalogue } = reportCalibration(reader, biased(size, 0));
        expect(Math.abs(withOffset?.offset ?? 9)).toBeLessThan(0.6);
        if (catalogue?.calibration.offset !== undefined) throw new Error(`${size}: ${withOffset?.offset}`);
      }),
      { numRuns: 20, seed: 7 },
    );
  });
});

const withTemperature = (temperature: number) => ({ ...reader, calibration: { temperature } });

test('a report on few cases has a warning', () => {
  expect(reportCalibration(reader, readsOf(99)).warnings[0]).toMatch(/^99 cases are few/);
});

test('a model that has the fitted temperature already gets no warning, and keeps it', () => {
  const reads = readsOf(400);
  const { temperature } = reportCalibration(reader, reads);
  const again = reportCalibration(withTemperature(temperature), reads);
  expect(again.heldOut.nll).toBeGreaterThan(again.nll);
  expect(again.warnings).toEqual([]);
  expect(again.catalogue).toEqual({ calibration: { temperature } });
});

test('a new temperature that is no better on held-out cases gets a warning, and no entry for the catalogue', () => {
  const reads = readsOf(400);
  const { temperature } = reportCalibration(reader, reads);
  const report = reportCalibration(withTemperature(temperature * 1.001), reads);
  expect(report.temperature).toBe(temperature);
  expect(report.warnings).toEqual([
    'On cases that were held out, the fitted temperature is no better than the one there is.',
  ]);
  expect(report).not.toHaveProperty('catalogue');
});

test('ten cases whose fit is worse on held-out cases give no entry for the catalogue', () => {
  const report = reportCalibration(reader, readsOf(10));
  expect(report.heldOut.nll).toBeGreaterThan(report.nll);
  expect(report).not.toHaveProperty('catalogue');
  expect(report.warnings).toHaveLength(2);
});

test('a fit that ends at a bound gives no entry for the catalogue', () => {
  const right = readsOf(200).map((read) => ({
    ...read,
    answer: mostLikely(read.probabilities),
  }));
  const report = reportCalibration(reader, right);
  expect(report.temperature).toBe(0.05);
  expect(report).not.toHaveProperty('catalogue');
  expect(report.warnings).toEqual([expect.stringContaining('cannot tell a temperature')]);
});

test('a model whose server gives ready probabilities is measured, without an entry for the catalogue', () => {
  const report = reportCalibration(decisionModel('http://127.0.0.1', 'systemone'), readsOf(200));
  expect(report).not.toHaveProperty('catalogue');
  expect(report.warnings).toEqual([expect.stringContaining('no temperature for the engine systemone')]);
});
