import { expect, test } from 'vitest';
import { bareText, figuresOf, namesOf, stemsOf } from './words.ts';

test('words compare without their endings, figures without their separators', () => {
  expect(stemsOf('Who founded it?')).toEqual(stemsOf('founder'));
  expect(stemsOf('It employs 1,204 people.')).toEqual(['employ', '1204', 'peopl']);
  expect(figuresOf('1,204 of 30 in 2031.')).toEqual(['1204', '30', '2031']);
});

test('names are runs of words with capitals, without the word that begins a sentence', () => {
  expect(namesOf('The headquarters of Tarvel Works are in Belmere.')).toEqual(['Tarvel Works', 'Belmere']);
  expect(namesOf('Where is it?')).toEqual([]);
});

test('a row of a table compares equal in every format', () => {
  const row = bareText('Lamp | Shed 6 | 1,204');
  expect(bareText('| Lamp  | Shed 6 | 1,204 |')).toBe(row);
  expect(bareText('Lamp,Shed 6,"1,204"')).toBe(row);
});
