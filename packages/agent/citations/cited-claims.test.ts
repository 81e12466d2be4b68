import { limits } from '@errand/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citedClaims } from './cited-claims.ts';

const claims = (answer: string) => citedClaims(answer).map(({ text, sources }) => [text, ...sources]);

describe('cited claims', () => {
  it.each<[string, (string | number)[][]]>([
    [
      'A is 5 [1]. B is 6 [2].',
      [
        ['A is 5', 1],
        ['B is 6', 2],
      ],
    ],
    [
      'A is 5. [1] B is 6.[2] C is 7.',
      [
        ['A is 5.', 1],
        ['B is 6.', 2],
      ],
    ],
    ['A is 5 [1][2], [3].', [['A is 5', 1, 2, 3]]],
    ['A is 5 [1], and B is 6 [2].', [['A is 5, and B is 6', 1, 2]]],
    ['[1] says that A is 5.', [['says that A is 5.', 1]]],
    ['No source. A is 5 [1]! Really?', [['A is 5', 1]]],
    ['A costs 3.5 million, e.g. in Bonn [1].', [['A costs 3.5 million, e.g. in Bonn', 1]]],
    ['Dr. Ruth Meyer said it [1].', [['Dr. Ruth Meyer said it', 1]]],
    [
      '甲是五[1]。乙是六。[2]丙',
      [
        ['甲是五', 1],
        ['乙是六。', 2],
      ],
    ],
    [
      'क पाँच है [1]। ख छह है [2]।',
      [
        ['क पाँच है', 1],
        ['ख छह है', 2],
      ],
    ],
    [
      '- A is 5 [1]\n- B is 6 [2]\n  and more',
      [
        ['A is 5', 1],
        ['B is 6 and more', 2],
      ],
    ],
    ['1. A is 5. It is big [1]', [['It is big', 1]]],
    [
      '| A | B |\n|---|---|\n| one | 5 [1] |\n| two [2] | 6 |',
      [
        ['one | 5', 1],
        ['two | 6', 2],
      ],
    ],
    ['> A is 5\n> in Bonn [1].', [['A is 5 in Bonn', 1]]],
    [
      '## A [1]\nB is 6 [2].',
      [
        ['A', 1],
        ['B is 6', 2],
      ],
    ],
    ['A is 5.\n\n[1]', [['A is 5.', 1]]],
    ['A is 5 [1].\n\nSources:\n[1] A page - https://example.com\n[2] B https://example.com', [['A is 5', 1]]],
    ['A is 5 [1].\n\n- [1] A page, 2020\n- [2] B', [['A is 5', 1]]],
    [
      'one | 5 [1]\n--- | ---\ntwo | 6 [2]\nthree | 7 [3]',
      [
        ['one | 5', 1],
        ['two | 6', 2],
        ['three | 7', 3],
      ],
    ],
    ['Am 3. Mai waren es 5 [1]. Am 4. Und?', [['Am 3. Mai waren es 5', 1]]],
    ['```\nA [1].\n```\nB', []],
    ['[1]', []],
    [
      'A is 5 [^1]. B is 6【2】.\n\n[^1]: A page\n[^2]: B [3]',
      [
        ['A is 5', 1],
        ['B is 6', 2],
      ],
    ],
    ['A is 5.', []],
  ])('of %j', (answer, expected) => {
    expect(claims(answer)).toEqual(expected);
  });

  it('are where their indices say, in UTF-16 units', () => {
    const answer = '😀 Ok. **A** is 😀 5 [1].';
    const [claim] = citedClaims(answer);
    expect(answer.slice(claim?.startIndex, claim?.endIndex)).toBe('**A** is 😀 5');
    expect(claim).toMatchObject({ startIndex: 7, text: '**A** is 😀 5' });
  });

  it('do not overlap, are in order, and are no longer than the answer', () => {
    const piece = fc.constantFrom(
      '[1]',
      '[2, 3]',
      ' ',
      'word',
      'A',
      '. ',
      '.',
      '。',
      '\n',
      '\n\n',
      '- ',
      '| ',
      '> ',
      '`',
      '# ',
      '(',
      ')',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const answer = pieces.join('');
        let from = 0;
        for (const { startIndex, endIndex, text, sources } of citedClaims(answer)) {
          expect(startIndex).toBeGreaterThanOrEqual(from);
          expect(endIndex).toBeGreaterThan(startIndex);
          expect(endIndex).toBeLessThanOrEqual(answer.length);
          expect(text.length).toBeLessThanOrEqual(endIndex - startIndex);
          expect(sources.length).toBeGreaterThan(0);
          from = endIndex;
        }
      }),
    );
  });
});

it('a short answer has a bounded number of citations, however often it repeats its markers', () => {
  const claims = citedClaims('Fact [1-32]. '.repeat(5_000));
  expect(Math.max(...claims.map(({ sources }) => sources.length))).toBe(limits.sourcesPerClaim);
  const citations = claims.reduce((sum, { sources }) => sum + sources.length, 0);
  expect(citations).toBeGreaterThan(400);
  expect(citations).toBeLessThan(limits.citationsPerAnswer + limits.sourcesPerClaim);
});
