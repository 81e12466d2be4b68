import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMarkers } from './markers.ts';
import { removeUnknown } from './remove-unknown.ts';

const known = new Set([1, 2, 3]);

describe('an answer without unknown citations', () => {
  it.each([
    ['It is 5 [7].', 'It is 5.'],
    ['It is 5 [7] and 6 [1].', 'It is 5 and 6 [1].'],
    ['It is 5 [1, 7].', 'It is 5 [1].'],
    ['It is 5 [7, 2, 1].', 'It is 5 [2, 1].'],
    ['It is 5 [2-5].', 'It is 5 [2, 3].'],
    ['It is 5 [1][7].', 'It is 5 [1].'],
    ['It is 5 [7][1].', 'It is 5 [1].'],
    ['It is 5 [1] [7].', 'It is 5 [1].'],
    ['It is 5 [7] [8].', 'It is 5.'],
    ['It is 5[7], or 6', 'It is 5, or 6'],
    ['它是五 [7]。', '它是五。'],
    ['It is 5. [7]', 'It is 5.'],
    ['It is 5. [7]\nNext', 'It is 5.\nNext'],
    ['- [7] text', '- text'],
    ['[7] text', 'text'],
    ['a\n  [7] text', 'a\n  text'],
    ['[7]', ''],
  ])('%j becomes %j', (answer, expected) => {
    expect(removeUnknown(answer, known)).toBe(expected);
  });

  it.each([
    '`a[7]` and [text](https://example.com/[7])  \n',
    'It is 5 [1,2] , or [1-3] .',
    '```\n[7]\n```',
    '[^7] ![7](a)\n[7]: b',
    '',
  ])('keeps %j byte for byte', (answer) => {
    expect(removeUnknown(answer, known)).toBe(answer);
  });

  const piece = fc.constantFrom(
    '[1]',
    '[7]',
    '[1, 7]',
    '[7-9]',
    ' ',
    '  ',
    'word',
    '.',
    '\n',
    '\n\n',
    '- ',
    '`',
    '|',
    '。',
  );

  it('cites only known sources, and loses no other characters than spaces', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const answer = pieces.join('');
        const removed = removeUnknown(answer, known);
        const numbers = findMarkers(answer).flatMap((marker) => marker.numbers);
        const rest = (text: string) => text.replace(/\[[^\]]*\]|[ \t]/g, '');
        expect(rest(removed)).toBe(rest(answer));
        if (numbers.every((number) => known.has(number))) expect(removed).toBe(answer);
        else expect(removed.length).toBeLessThan(answer.length + 1);
      }),
    );
  });
});
