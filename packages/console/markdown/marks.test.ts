import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Citation,
  findMarkers,
  type Mark,
  mostMarkers,
  splitSigns,
  withoutMarkers,
  withoutSigns,
  withSigns,
} from './marks.ts';
import { readSyntax } from './syntax.ts';

const citation = (answer: string, claim: string, number: number): Citation => ({
  type: 'url_citation',
  url: 'https://example.com',
  title: 'A page',
  number,
  startIndex: answer.indexOf(claim),
  endIndex: answer.indexOf(claim) + claim.length,
});

/** The markers that are found, each with its claim. */
const markersOf = (answer: string, ...claims: [string, number][]) =>
  findMarkers(
    answer,
    claims.map(([claim, number]) => citation(answer, claim, number)),
  ).map(({ number, citation: at }) => [number, claims[at]![0]]);

describe('markers of an answer', () => {
  test.each<[string, [string, number][], (number | string)[][]]>([
    [
      'A is 5 [1]. B is 6 [1].',
      [
        ['A is 5', 1],
        ['B is 6', 1],
      ],
      [
        [1, 'A is 5'],
        [1, 'B is 6'],
      ],
    ],
    [
      'A is 5 [9][3][1].',
      [
        ['A is 5', 3],
        ['A is 5', 1],
      ],
      [
        [3, 'A is 5'],
        [1, 'A is 5'],
      ],
    ],
    ['[1] says that A is 5.', [['says that A is 5.', 1]], [[1, 'says that A is 5.']]],
    ['A is 5 【1】.', [['A is 5', 1]], [[1, 'A is 5']]],
    ['A is 5 [^1].', [['A is 5', 1]], [[1, 'A is 5']]],
    [
      'A is 5 [1, 4; 9].',
      [
        ['A is 5', 1],
        ['A is 5', 4],
      ],
      [
        [1, 'A is 5'],
        [4, 'A is 5'],
      ],
    ],
    [`A is 5 [1].${' '.repeat(100)}An array has [1].`, [['A is 5', 1]], [[1, 'A is 5']]],
  ])('of %j stand for the citations of the claim beside them', (answer, claims, expected) => {
    expect(markersOf(answer, ...claims)).toEqual(expected);
  });

  test('are text where an answer cites nothing', () => {
    expect(findMarkers('An array [1].', [])).toEqual([]);
  });

  test('come back as they were, wherever they stand', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('[1]', '[12]', ' [1, 3]', '[1-3]', '【^1】', '\uE000', '\uE001', '0'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const answer = pieces.join('');
        const marks = findMarkers(
          answer,
          [1, 2, 3].map((number) => citation(answer, answer, number)),
        );
        const signed = withSigns(answer, marks);
        expect(withoutSigns(signed, marks)).toBe(answer);
        expect(splitSigns(signed, marks).filter((each) => typeof each !== 'string')).toEqual(marks);
      }),
    );
  });

  /** The marks that a page draws of the text. */
  const drawnOf = (signed: string, marks: readonly Mark[]) => {
    const wordsOf = (value: object): string[] =>
      'text' in value && 'type' in value && !('tokens' in value)
        ? [String(value.text)]
        : Object.values(value).flatMap((part) => (typeof part === 'object' && part ? wordsOf(part) : []));
    return wordsOf(readSyntax(signed).tokens).flatMap((words) =>
      splitSigns(words, marks).filter((piece) => typeof piece !== 'string'),
    );
  };
  const sign = fc.constantFrom('\uE000', '\uE001', '\uE0000\uE001', '&#xE000;0&#xE001;', '&#57344;1&#57345;');
  const word = fc.constantFrom('[1]', ' [1, 3]', '[^2]', 'a', '0', ' ', '\n', '\n\n', '**', '`', '\\');
  const frame = fc.constantFrom(
    ...[
      '[',
      '](https://e.com/',
      ')',
      '![',
      'https://e.com/',
      '<https://e.com/',
      '>',
      '<b>',
      '[r]',
      '\n[r]: https://e.com/',
    ],
    ...['$', '\\(', '\\)', '\n|', '|-|\n', '\n- ', '\n> ', '\n```\n', '[^n]', '\n\n[^n]: '],
  );
  const written = fc.array(fc.oneof(sign, word, frame), { maxLength: 20 }).map((pieces) => pieces.join(''));

  test('are drawn once at most', () => {
    fc.assert(
      fc.property(written, (answer) => {
        const cited = [1, 2, 3].map((number) => citation(answer, answer, number));
        const marks = findMarkers(answer, cited);
        const drawn = drawnOf(withSigns(answer, marks), marks);
        expect(drawn.length).toBe(new Set(drawn).size);
      }),
    );
  });

  test('are drawn of nothing that a text writes', () => {
    const marks = ['a', 'b'].map((text, at) => ({ at, length: 1, text }));
    fc.assert(
      fc.property(written, (text) => {
        expect(drawnOf(withSigns(text, []), marks)).toEqual([]);
      }),
    );
  });

  test('end an address that stands before them, and are no part of one around them', () => {
    const answer = 'See https://example.com/x[1] and [it](https://example.com/[1]).';
    const marks = findMarkers(answer, [citation(answer, answer, 1)]);
    expect(marks).toHaveLength(2);
    const [paragraph] = readSyntax(withSigns(answer, marks)).tokens as { tokens: { href?: string }[] }[];
    const addresses = paragraph!.tokens.flatMap(({ href }) => (href ? [withoutSigns(href, marks)] : []));
    expect(addresses).toEqual(['https://example.com/x', 'https://example.com/[1]']);
    expect(drawnOf(withSigns(answer, marks), marks)).toEqual([marks[0]]);
  });

  test('are text beyond those that a page draws quickly', () => {
    const answer = 'A is 5 [1].'.repeat(mostMarkers + 1);
    expect(findMarkers(answer, [citation(answer, answer, 1)])).toHaveLength(mostMarkers);
  });

  test('are left out of a claim that is told by itself', () => {
    expect(withoutMarkers('**A** is `5` [1][2]')).toBe('A is 5');
  });
});
