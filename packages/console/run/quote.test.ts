import fc from 'fast-check';
import { lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import { plainText } from '../markdown/inlines.tsx';
import { type Citation, withoutSigns, withSigns } from '../markdown/marks.ts';
import { linkToWords, plainWords, quoteMarks } from './quote.ts';

const citation = (quote: string, more: object = {}): Citation => ({
  type: 'url_citation',
  url: 'https://example.com/a?b=c',
  title: 'A page',
  startIndex: 0,
  endIndex: 1,
  passage: `# Heading\n\nBefore. ${quote} After.`,
  quote,
  ...more,
});

describe('the link to the words of a page', () => {
  const fragment = (quote: string, more: object = {}) =>
    linkToWords(citation(quote, more))?.replace('https://example.com/a?b=c', '');

  test.each([
    ['Sales grew.', '#:~:text=Sales%20grew.'],
    ['A well-known, 4 % & more', '#:~:text=A%20well%2Dknown%2C%204%20%25%20%26%20more'],
    ['**Sales** grew by `4` [%](https://x.test/y)', '#:~:text=Sales%20grew%20by%204%20%25'],
    ['Größe – 水', '#:~:text=Gr%C3%B6%C3%9Fe%20%E2%80%93%20%E6%B0%B4'],
    [
      'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.',
      '#:~:text=One%20two%20three%20four%20five,twelve%20thirteen%20fourteen%20fifteen%20sixteen.',
    ],
    ['Fast doors | 18,000 EUR', '#:~:text=Fast%20doors,18%2C000%20EUR'],
    ['One item\n- and another item', '#:~:text=One%20item,and%20another%20item'],
    ['lone \ud800 half', '#:~:text=lone%20%EF%BF%BD%20half'],
  ])('finds %j', (quote, expected) => {
    expect(fragment(quote)).toBe(expected);
  });

  test('keeps the fragment of the address, and replaces a directive that it has', () => {
    const url = 'https://example.com/#part:~:text=old';
    expect(linkToWords(citation('New', { url }))).toBe('https://example.com/#part:~:text=New');
  });

  test('opens a PDF at its page', () => {
    expect(fragment('Sales grew.', { place: 'page 12 to page 13' })).toBe('#page=12');
  });

  test('is that of the page where no words are known', () => {
    expect(linkToWords(citation('', { quote: undefined }))).toBe('https://example.com/a?b=c');
  });

  test.each(['javascript:alert(1)', 'mailto:a@example.com', 'data:text/html,x', 'no address'])(
    'is absent for %s',
    (url) => {
      expect(linkToWords(citation('x', { url }))).toBeUndefined();
    },
  );

  test('is an address with the words of any quote, in any script', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (quote) => {
        const href = linkToWords(citation(quote))!;
        expect(new URL(href).protocol).toBe('https:');
        const directive = href.split(':~:text=')[1] ?? '';
        expect(directive).toMatch(/^[\w.!~*'()%]*(,[\w.!~*'()%]*)?$/);
        expect(() => decodeURIComponent(directive)).not.toThrow();
      }),
    );
  });
});

describe('the marks of a quote', () => {
  test('leave the signs of markdown between them as they are', () => {
    const quote =
      'The **depot** spent [54,100 EUR](https://x.test/a_b).\n- It has `hall B`\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    const marks = quoteMarks(citation(quote));
    expect(marks.map(({ text }) => text)).toEqual([
      'The',
      'depot',
      'spent',
      '54,100 EUR',
      'It has',
      'hall B',
      'a',
      'b',
      '1',
      '2',
    ]);
    const passage = citation(quote).passage!;
    for (const { at, text } of marks) expect(passage.slice(at, at + text.length)).toBe(text);
    const kinds = (text: string) => lexer(text).map(({ type }) => type);
    expect(kinds(withSigns(passage, marks))).toEqual(kinds(passage));
    expect(withoutSigns(plainText(lexer(withSigns(passage, marks))), marks)).toBe(plainText(lexer(passage)));
  });

  test('are none where the passage has no such words', () => {
    expect(quoteMarks(citation('x', { passage: 'y' }))).toEqual([]);
    expect(quoteMarks(citation('x', { passage: undefined }))).toEqual([]);
    expect(quoteMarks(citation('x', { quote: undefined }))).toEqual([]);
  });
});

test('plain words are those that a page shows', () => {
  expect(plainWords('## A *b* \\[3\\] ![c](d)\n> 1. [e](f)')).toBe('A b [3] e');
});
