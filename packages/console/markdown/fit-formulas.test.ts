import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitFormulas } from './fit-formulas.ts';
import { mostNodes, type ReadFormula, type ReadFormulas } from './maths-tree.ts';

const sizes = { a: 3, b: 400, c: mostNodes / 4, d: mostNodes - 1, no: 0 };
const key = fc.constantFrom(...(Object.keys(sizes) as (keyof typeof sizes)[]));
const read = new Map(
  Object.entries(sizes).map(([tree, nodes]): [string, ReadFormula | undefined] => [
    tree,
    nodes === 0 ? undefined : { tree, nodes },
  ]),
);
const without = (...unread: string[]): ReadFormulas =>
  new Map([...read].filter(([key]) => !unread.includes(key)));

test('formulas of a text are drawn up to a sum, in which each counts as often as it stands there', () => {
  expect(fitFormulas(Array(9).fill('c'), read).trees).toEqual(Array(4).fill('c'));
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const { trees, missing } = fitFormulas(keys, read);
      const nodesOf = (some: typeof keys) => some.reduce((sum, each) => sum + (sizes[each] || 1), 0);
      expect(missing).toEqual([]);
      expect(trees).toEqual(keys.slice(0, trees.length).map((each) => (each === 'no' ? undefined : each)));
      expect(nodesOf(keys.slice(0, trees.length))).toBeLessThanOrEqual(mostNodes);
      if (trees.length < keys.length)
        expect(nodesOf(keys.slice(0, trees.length + 1))).toBeGreaterThan(mostNodes);
    }),
  );
});

test('formulas that are drawn stay so while the text grows and more of it is read', () => {
  fc.assert(
    fc.property(fc.array(key), fc.array(key), fc.uniqueArray(key), (keys, more, unread) => {
      const { trees } = fitFormulas(keys, without(...unread));
      const grown = fitFormulas([...keys, ...more], read).trees;
      expect(grown.slice(0, trees.length)).toEqual(trees);
    }),
  );
});

test('formulas are asked for once each, and not beyond what is drawn', () => {
  expect(fitFormulas(['a', 'b', 'a', 'c', 'b'], without('a', 'b'))).toEqual({
    trees: [],
    missing: ['a', 'b'],
  });
  expect(fitFormulas(['a', 'd', 'd', 'b'], without('b')).missing).toEqual([]);
});
