import { expect, test } from 'vitest';
import { bareText } from './bare-text.ts';
import { answers, languageOf, library, says } from './statements.ts';

const statement = { about: 'Tarvel Works', value: '4,512', also: '2031' };

test.each([
  ['Tarvel Works employs 4,512 people', true],
  ['Für Tarvel Works ist die Zahl der Beschäftigten 4.512 (2031)', true],
  ['Tarvel Works employs 4,521 people', false],
  ['Tarvel employs 4,512 people', false],
  ['Tarvel Works employed 4,512 people in 2030', false],
])('whether "%s" says what the corpus states is %s', (claim, isSaid) => {
  expect(says(claim, statement)).toBe(isSaid);
});

test('an answer gives the value in any notation, and none of the wrong ones before it', () => {
  expect(answers('It is 4 512 [3], not 3,100.', '4,512', ['3,100'])).toBe(true);
  expect(answers('It was 3,100 and is 4,512.', '4,512', ['3,100'])).toBe(false);
  expect(answers('It is 14,512.', '4,512')).toBe(false);
  expect(answers('It is [12].', '12')).toBe(false);
});

test('the language of an answer is the one with most of its small words', () => {
  expect(languageOf('Für Tarvel ist die Zahl der Beschäftigten 12')).toBe('de');
  expect(languageOf('Pour Tarvel, le nombre de salariés est 12')).toBe('fr');
  expect(languageOf('Para Tarvel, el número de empleados es 12')).toBe('es');
  expect(languageOf('For Tarvel, the number is 12')).toBe('en');
});

test('a claim is held against the source that it cites', () => {
  const { supports } = library([{ path: '/wiki/tarvel', states: [statement] }]);
  expect(supports('http://127.0.0.1:1/wiki/tarvel', 'Tarvel Works employs 4,512 people')).toBe(true);
  expect(supports('http://127.0.0.1:1/wiki/other', 'Tarvel Works employs 4,512 people')).toBe(false);
});

test('a row of a table compares equal in every format', () => {
  const row = bareText('Lamp | Shed 6 | 1,204');
  expect(bareText('| Lamp  | Shed 6 | 1,204 |')).toBe(row);
  expect(bareText('Lamp,Shed 6,"1,204"')).toBe(row);
});
