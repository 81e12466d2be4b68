import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Citation, findMarkers, splitSigns, withoutMarkers, withoutSigns, withSigns } from './marks.ts';

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
        expect(withoutSigns(signed, marks)).toBe(answer.replaceAll(/[\uE000\uE001]/g, ' '));
        expect(splitSigns(signed, marks).filter((each) => typeof each !== 'string')).toEqual(marks);
      }),
    );
  });

  test('are left out of a claim that is told by itself', () => {
    expect(withoutMarkers('**A** is `5` [1][2]')).toBe('A is 5');
  });
});
