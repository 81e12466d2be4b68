import { expect, test } from 'vitest';
import { indexTexts } from './search-index.ts';

test('a text with a rare word of the query comes before those with common ones', () => {
  const { search } = indexTexts(['the river town', 'the river harbour', 'the river town Kelvel']);
  expect(search('river Kelvel', 2)).toEqual([2, 0]);
  expect(search('nothing here', 5)).toEqual([]);
});
