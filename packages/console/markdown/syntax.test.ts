import type { Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { mostCells, mostNoteMarks, readSyntax } from './syntax.ts';

/** The text that a reader sees, formulas in braces and marks of footnotes in brackets. */
const seen = (tokens: readonly Token[]): string =>
  tokens
    .map((token): string => {
      if (token.type === 'maths') return `{${token.key}}`;
      if (token.type === 'note-mark') return `[${token.number}]`;
      if (token.type === 'notes')
        return token.notes
          .map(({ number, tokens }: { number: number; tokens: Token[] }) => ` ${number}: ${seen(tokens)}`)
          .join('');
      if (token.type === 'list')
        return token.items.map(({ tokens }: { tokens: Token[] }) => seen(tokens)).join(' ');
      if ('tokens' in token && token.tokens) return seen(token.tokens);
      return 'text' in token ? String(token.text) : '';
    })
    .join('');
const read = (text: string): string => seen(readSyntax(text).tokens);

describe('a backslash', () => {
  test.each([
    ['C:\\new\\,old', 'C:\\new\\,old'],
    ['a\\,b\\;c\\:d \\alpha', 'a\\,b\\;c\\:d \\alpha'],
    ['\\d+\\w \\/x\\=y\\?', '\\d+\\w \\/x\\=y\\?'],
  ])('that escapes nothing is kept: %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ['\\*no\\* \\[x\\] \\_y\\_ \\# \\\\', '*no* [x] _y_ # \\'],
    ['50\\% and \\$5 \\& more', '50% and $5 & more'],
  ])('that escapes something goes: %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('a formula', () => {
  test.each([
    ['So $a_1 * b * c$ and **$x$**.', 'So {inline a_1 * b * c} and {inline x}.'],
    ['So \\(a\\,b\\), $$c$$.', 'So {inline a\\,b}, {inline c}.'],
    ['$$\n\\frac{a}{b}\n$$', '{display \\frac{a}{b}}'],
    ['Then\n\\[\nx_1 = 2\n\\].\nEnd', 'Then{display x_1 = 2.}End'],
    ['- $x$\n\n  $$y$$', '{inline x}{display y}'],
  ])('is found in %j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    'It costs $5 and $10.',
    'From $5 to $6, or US$7/US$8.',
    'For $5 (a week) or so (B$).',
    'A price of $ 5 $ each',
    '`$x$` and `\\(y\\)`',
    '```\n$$x$$\n```',
    '$$ in the first\n\nand $$ in the next',
    '$unclosed \\(too',
    '$a \uE0001\uE001$',
  ])('is not found in %j', (text) => {
    expect(readSyntax(text).formulas).toEqual([]);
  });
});

describe('a footnote', () => {
  test('stands at the end, by the order in which the text refers to it', () => {
    const text = 'One[^b] two[^a], one again[^B].\n\n[^a]: The first.\n[^b]: The second\n  goes on.\n\nEnd.';
    expect(read(text)).toBe('One[1] two[2], one again[1].End. 1: The second\ngoes on. 2: The first.');
  });

  test('may be of several blocks, and end a paragraph', () => {
    expect(read('One[^1].\n[^1]: A\n\n    B')).toBe('One[1]. 1: AB');
  });

  test.each(['Nothing[^x] here.', 'Not `[^1]` in code.\n\n[^1]: Note.'])(
    'that is missing stays text: %j',
    (text) => {
      expect(readSyntax(text).tokens.map(({ type }) => type)).not.toContain('notes');
      expect(read(text)).toContain('[^');
    },
  );

  test('has marks up to those that a page draws quickly, and more are text', () => {
    const text = `${'[^1]'.repeat(mostNoteMarks + 2)}\n\n[^1]: Note.`;
    expect(read(text)).toBe(`${'[1]'.repeat(mostNoteMarks)}[^1][^1] 1: Note.`);
  });
});

describe('a table', () => {
  const table = (columns: number, rows: number) =>
    `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b|\n'.repeat(rows)}`;
  const typesOf = (text: string) =>
    readSyntax(text)
      .tokens.map(({ type }) => type)
      .filter((type) => type !== 'space');

  test('is text beyond the cells that a page draws quickly, those of all tables of a text together', () => {
    const half = table(100, mostCells / 200);
    expect(typesOf([half, half, half].join('\n'))).toEqual(['table', 'table', 'paragraph']);
    expect(typesOf(table(1_000, mostCells / 1_000 + 1))).toEqual(['paragraph']);
    expect(typesOf(table(10, 1_000))).toEqual(['table']);
  });
});
