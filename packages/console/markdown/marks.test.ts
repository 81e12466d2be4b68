import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Citation, findMarks, splitSigns, withoutMarkers, withoutSigns, withSigns } from './marks.ts';

const citation = (answer: string, claim: string, url: string): Citation => ({
  type: 'url_citation',
  url,
  title: url,
  startIndex: answer.indexOf(claim),
  endIndex: answer.indexOf(claim) + claim.length,
});

const marksOf = (answer: string, ...claims: [string, string][]) =>
  findMarks(
    answer,
    claims.map(([claim, url]) => citation(answer, claim, url)),
  ).map(({ number, citation: at }) => [number, claims[at]![1]]);

describe('markers of an answer', () => {
  test.each<[string, [string, string][], (number | string)[][]]>([
    [
      'A is 5 [1]. B is 6 [2].',
      [
        ['A is 5', 'a'],
        ['B is 6', 'b'],
      ],
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'A is 5 [3][1].',
      [
        ['A is 5', 'c'],
        ['A is 5', 'a'],
      ],
      [
        [3, 'c'],
        [1, 'a'],
      ],
    ],
    ['[1] says that A is 5.', [['says that A is 5.', 'a']], [[1, 'a']]],
    [
      'A is 5 [1], and so is B [1].',
      [['A is 5 [1], and so is B', 'a']],
      [
        [1, 'a'],
        [1, 'a'],
      ],
    ],
    [`A is 5 [1].${' '.repeat(100)}An array has [9].`, [['A is 5', 'a']], [[1, 'a']]],
  ])('of %j stand for the citations of the claim beside them', (answer, claims, expected) => {
    expect(marksOf(answer, ...claims)).toEqual(expected);
  });

  test('are text where an answer cites nothing', () => {
    expect(findMarks('An array [1].', [])).toEqual([]);
  });

  test('come back as they were, wherever they stand', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('[1]', '[12]', ' [3]', '\uE000', '\uE001', '0'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const answer = pieces.join('');
        const marks = findMarks(answer, [citation(answer, answer, 'a')]);
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
