import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinVectors, packVectors, rankByMeaning } from './pack-vectors.ts';

const cosine = (one: readonly number[], other: readonly number[]) => {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
};

const dimensions = 24;
const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
  .filter((numbers) => numbers.some((number) => Math.abs(number) > 0.01));

test('packed vectors are ranked as the vectors themselves are, but for a few hundredths', () => {
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 20 }), vector, (vectors, query) => {
      const ranked = rankByMeaning(packVectors(vectors), packVectors([query]))[0]!;
      expect(ranked.toSorted((a, b) => a - b)).toEqual(vectors.map((_, i) => i + 1));
      const cosines = ranked.map((number) => cosine(vectors[number - 1]!, query));
      for (const [place, value] of cosines.slice(1).entries())
        expect(value).toBeLessThanOrEqual(cosines[place]! + 0.04);
    }),
  );
});

test('a vector of nothing comes last', () => {
  const passages = packVectors([
    [0, 0],
    [-1, 0],
    [1, 0],
  ]);
  expect(rankByMeaning(passages, packVectors([[1, 0]]))).toEqual([[3, 2, 1]]);
});

test('a vector takes a byte for each of its numbers', () => {
  expect(packVectors(Array(100).fill(Array(1_536).fill(0.1)))).toHaveLength(100 * 1_536 + 4);
});

test('vectors of different lengths are refused', () => {
  expect(() => packVectors([[1, 2], [1]])).toThrow(RangeError);
  expect(() => rankByMeaning(packVectors([[1, 2]]), packVectors([[1]]))).toThrow(RangeError);
  expect(() => joinVectors([packVectors([[1, 2]]), packVectors([[1]])])).toThrow(RangeError);
});

test('vectors that were packed in parts are those that are packed together', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(vector, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
      (parts) => {
        expect(joinVectors(parts.map(packVectors))).toEqual(packVectors(parts.flat()));
      },
    ),
  );
});
