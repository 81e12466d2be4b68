import { expect, test } from 'vitest';
import { mostLikely } from '../confidence.ts';
import { probabilitiesAt } from '../probabilities.ts';
import { decisionModel } from '../test-support/models.ts';
import { draw, seeded } from '../test-support/seeded.ts';
import { type Read, reportCalibration } from './report.ts';

/** Answers of a model that is twice as sure as it is right. */
function readsOf(size: number): Read[] {
  const random = seeded(size);
  return Array.from({ length: size }, (_, index) => {
    const truth = [-2 * random(), -2 * random(), -2 * random()];
    const type = index % 2 === 0 ? 'choice' : 'score';
    return { type, probabilities: probabilitiesAt(truth, 0.5), answer: draw(probabilitiesAt(truth), random) };
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
