import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { rankPassages } from './rank-passages.ts';
import { termsOf } from './terms.ts';

const rank = (texts: readonly string[], query: string, headings: readonly string[] = []) =>
  rankPassages(
    texts.map((text, index) => ({ number: index + 1, headings: [headings[index] ?? ''], text })),
    [query],
  )[0];

describe('the terms of a text', () => {
  test.each([
    ['The Größe of 1,234 naïve CAFÉS', ['the', 'große', 'of', '1', '234', 'naive', 'cafes']],
    ['Порт Йода', ['порт', 'иода']],
    ['港口条例', ['港口', '口条', '条例']],
    ['東京タワー 2階', ['東京', '京タ', 'タワ', 'ワー', '2', '階']],
    ['ท่าเรือ', termsOf('ท่าเรือ')],
    ['مِينَاء', ['ميناء']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['--- ... ***', []],
  ])('%j are words without case and accents, or pairs where a script has no blanks', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  test('are the same for every spelling of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(termsOf(text.normalize('NFD'))).toEqual(termsOf(text.normalize('NFC')));
      }),
    );
  });
});

describe('the best passage', () => {
  const texts = [
    'The harbour takes ships.',
    'The penalty is 4 % a week.',
    'Ships wait for the tide in the harbour.',
  ];

  test('has the rarest words of the query', () => {
    expect(rank(texts, 'what is the penalty for ships?')?.[0]).toBe(2);
  });

  test('may have other forms of the words in the query, though the same form counts more', () => {
    expect(rank(texts, 'penalties')).toEqual([2]);
    expect(rank(['one deadline', 'two deadlines'], 'deadlines')).toEqual([2, 1]);
  });

  test('never matches a number in the query by another number', () => {
    expect(rank(['in 20231', 'in 20232'], '20231')).toEqual([1]);
  });

  test('may have the words of the query in its headings', () => {
    expect(rank(['Words.', 'Words.'], 'penalties', ['Scope', 'Penalties'])).toEqual([2]);
  });

  test('is found in scripts without blanks', () => {
    expect(rank(['船舶进入港口前必须报告。', '违约金为每周百分之四。'], '违约金是多少')).toEqual([2]);
  });

  test('among many is found by rare words, and by common ones if the query has no rare word', () => {
    const many = Array.from(
      { length: 200 },
      (_, index) => `the ship ${'of the '.repeat(index % 7)}line ${index}`,
    );
    expect(rank(many, 'the ship of the line 77')).toEqual([78]);
    expect(rank(many, 'the ship')).toHaveLength(200);
  });

  test('is absent if no word matches', () => {
    expect(rank(texts, 'zeppelin')).toEqual([]);
    expect(rank(texts, '?!')).toEqual([]);
  });
});

test('indexing hostile texts takes linear time', async () => {
  for (const piece of ['a', 'a ', '\u0301', 'é ', '中', '😀', '\ud800']) {
    const make = (length: number) =>
      Array.from({ length: length / 2_000 }, () => piece.repeat(2_000 / piece.length));
    await expectLinear(make, (texts) => rank(texts, 'a 中中 é'), 400_000);
  }
});
