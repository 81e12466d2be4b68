import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuseRanks } from './fuse-ranks.ts';

const list = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 100 });

test('one list stays as it is', () => {
  fc.assert(fc.property(list, (numbers) => void expect(fuseRanks([numbers])).toEqual(numbers)));
});

test('a number that two lists have in front comes before what only one of them has there', () => {
  expect(
    fuseRanks([
      [1, 2, 3],
      [4, 2, 5],
    ])[0],
  ).toBe(2);
});

test('fused lists have every number of each list, once', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), (lists) => {
      const fused = fuseRanks(lists);
      expect(fused.toSorted((a, b) => a - b)).toEqual([...new Set(lists.flat())].toSorted((a, b) => a - b));
    }),
  );
});

test('the best of either of two lists is among the first twelve, wherever the other one has it', () => {
  fc.assert(
    fc.property(list, list, (one, other) => {
      const first = fuseRanks([one, other]).slice(0, 12);
      for (const [best] of [one, other]) if (best !== undefined) expect(first).toContain(best);
    }),
  );
});
