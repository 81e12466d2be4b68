import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMarkers } from './markers.ts';

const found = (text: string) =>
  findMarkers(text).map(({ startIndex, endIndex, numbers }) => [text.slice(startIndex, endIndex), numbers]);

describe('citation markers', () => {
  it.each<[string, [string, number[]][]]>([
    ['It is 5 [1].', [['[1]', [1]]]],
    [
      'It is 5[1][2].',
      [
        ['[1]', [1]],
        ['[2]', [2]],
      ],
    ],
    [
      'It is 5 [1, 3] and [2;4].',
      [
        ['[1, 3]', [1, 3]],
        ['[2;4]', [2, 4]],
      ],
    ],
    ['It is 5 [2-4,9].', [['[2-4,9]', [2, 3, 4, 9]]]],
    ['It is 5 [2–3].', [['[2–3]', [2, 3]]]],
    ['Great![1]', [['[1]', [1]]]],
    ['See [1](as on page 3).', [['[1]', [1]]]],
    ['| A | 5 [1] |', [['[1]', [1]]]],
    ['😀 [1]', [['[1]', [1]]]],
    ['A ` alone [1].', [['[1]', [1]]]],
    ['It is 5 [^1].\n\n[^1]: B', [['[^1]', [1]]]],
    ['It is 5【1，3】。', [['【1，3】', [1, 3]]]],
    ['It is 5［2-3］', [['［2-3］', [2, 3]]]],
    ['根据报告[1]显示', [['[1]', [1]]]],
    ['It is water[1].', [['[1]', [1]]]],
    ['Water[1], (oil[1]) and **wax[1]** burn[1]\nnow', Array.from({ length: 4 }, () => ['[1]', [1]])],
    [
      'It is 503 metres long[1][2].',
      [
        ['[1]', [1]],
        ['[2]', [2]],
      ],
    ],
    ['It costs $5 [1], and US$6 or $7.', [['[1]', [1]]]],
    ['The set {a, "b"} has two [[1]].', [['[1]', [1]]]],
    ['{"a":[1]} says it [2].', [['[2]', [2]]]],
  ])('are found in %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['inline code', 'Use `a[1]` and ``b ` [2]``.'],
    ['code that ends with a backslash', 'Use `C:\\` and `x[1]`.'],
    ['fenced code', '```js\na[1]\n\nb[2]\n```'],
    ['fenced code with Windows line ends', '```js\r\na[1]\r\n```\r\n'],
    ['fenced code that is not closed', '~~~\na[1]\n'],
    ['fenced code in a list', '- Do:\n   ```\n   a[1]\n   ```'],
    ['links', '[1](https://example.com) [the [1] text](https://example.com "title")'],
    ['the address of a link', '[text](https://example.com/[1])'],
    ['addresses', 'https://example.com/?row[1]=2'],
    ['links by reference', '[text][1]'],
    ['images', '![1](https://example.com/a.png) ![text][1]'],
    ['definitions of links', '[1]: https://example.com'],
    ['definitions of footnotes', 'A.\n\n[^1]: B'],
    ['escaped brackets', 'A \\[1].'],
    ['years, zeros and intervals', 'In [2024], [0, 1], [0], [12-300], [3-1], [01], [1.5].'],
    ['JSON', '{"a":[1],"b":[[2],3]} and ["c", [4]] and [{"d":[5]}]'],
    ['JSON that breaks off', 'See {"a":[1],\n\n"b":[2'],
    ['answers that are JSON', '\n{ "a": "It is 5 [1]." }\n'],
    ['math', 'So $x [1]$, $$y [2]$$, \\(z [3]\\) and\n\\[ v\n[4] \\]'],
    ['indices', 'x[1] = 2, a[1][2], grid[1] [2] holds, f.α2[3].b and x_1[4] +'],
    ['words', '[a1], [1a], [], [ ], [x] done'],
  ])('are none in %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it('are found between code and after it', () => {
    expect(found('`a[1]` is 5 [2].\n\n```\nb[3]\n```\nIt is 6 [4].')).toEqual([
      ['[2]', [2]],
      ['[4]', [4]],
    ]);
  });

  it('lie within the text, in its order, whatever the text is', () => {
    const piece = fc.constantFrom(
      '[1]',
      '[',
      ']',
      '(',
      ')',
      '`',
      '``',
      '\n',
      '\n\n',
      '```',
      ' ',
      'a',
      '\\',
      '[2,3]',
      '^',
      ':',
      '"',
      '|',
      '- ',
      '😀',
      'https://a.b/',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        let from = 0;
        for (const { startIndex, endIndex, numbers } of findMarkers(text)) {
          expect(startIndex).toBeGreaterThanOrEqual(from);
          expect(text.slice(startIndex, endIndex)).toMatch(/^\[[\d, ]+\]$/);
          expect(numbers.length).toBeGreaterThan(0);
          from = endIndex;
        }
      }),
    );
  });
});
