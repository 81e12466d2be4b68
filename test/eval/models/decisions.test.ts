import { expect, test } from 'vitest';
import { errorRates, namesJudge, probability } from './decisions.ts';

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

test('the judge holds names and figures of a statement in any language against one stretch of the passage', () => {
  const judge = namesJudge([{ about: 'Tarvel Works', value: '4,512' }]);
  const passage = 'Tarvel Works stands by the river. It employs 4,512 people. Kelvel employs 70.';
  expect(judge('Die Zahl der Beschäftigten von Tarvel Works ist 4.512.', passage)).toBe(true);
  expect(judge('Tarvel Works employs 4,521 people.', passage)).toBe(false);
  expect(judge('Tarvel Works employs 4,512 people.', 'Tarvel Works does not employ 4,512 people.')).toBe(
    false,
  );
});
