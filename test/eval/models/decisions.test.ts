import { expect, test } from 'vitest';
import { errorRates, probability } from './decisions.ts';

const claims = Array.from({ length: 4_000 }, (_, i) => `The Tarvel pump weighs ${i} kilograms`);
const shareOver = (truth: boolean) =>
  claims.filter((claim) => probability(claim, truth) > 0.5).length / claims.length;

test('the made decision server is wrong as often as its rates say, and always about the same claims', () => {
  expect(shareOver(false)).toBeCloseTo(errorRates.falseYes, 1);
  expect(shareOver(true)).toBeCloseTo(1 - errorRates.falseNo, 1);
  expect(claims.map((claim) => probability(claim, true))).toEqual(
    claims.map((claim) => probability(claim, true)),
  );
});
