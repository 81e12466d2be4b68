import { expect, test } from 'vitest';
import { figuresOf, namesOf, stemsOf } from './words.ts';

test('words compare without their endings, figures without their separators', () => {
  expect(stemsOf('Who founded it?')).toEqual(stemsOf('founder'));
  expect(stemsOf('It employs 1,204 people.')).toEqual(['employ', '1204', 'peopl']);
  expect(figuresOf('1,204 of 30 in 2031.')).toEqual(['1204', '30', '2031']);
});

test('names are runs of words with capitals, without the word that begins a sentence', () => {
  expect(namesOf('The headquarters of Tarvel Works are in Belmere.')).toEqual(['Tarvel Works', 'Belmere']);
  expect(namesOf('Where is it?')).toEqual([]);
});
