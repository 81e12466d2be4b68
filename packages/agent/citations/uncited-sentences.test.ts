import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countUncited } from './uncited-sentences.ts';

const known = new Set([1, 2]);
const count = (answer: string) => countUncited(answer, known);

describe('the uncited sentences of an answer', () => {
  it.each([
    ['a figure', 'It is 503 m long.'],
    ['a figure of another script', 'طوله ٥٠٣ أمتار.'],
    ['a name', 'The bridge crosses the Velmar there.'],
    ['an acronym', 'NASA launched it.'],
    ['a name in emphasis', 'It was built by **Ruth** then.'],
    ['a name in a script without capital letters', '東京は首都です。'],
    ['a number that no source has', 'It is long [7].'],
    ['a row of a table', '| what | how much |\n|---|---|\n| length | 503 m |'],
    ['an item of a list', '- length: 503 m'],
    ['a link that is no source', 'Since [May](https://example.org/) it is 503 m long.'],
  ])('are those with %s', (_, answer) => {
    expect(count(answer)).toBe(1);
  });

  it.each([
    ['sentences that cite', 'It is 503 m long [1]. It crosses the Velmar. [2]'],
    ['sentences that a marker of their own follows', 'It is 503 m long.\n\n[1]'],
    ['sentences without figures and names', 'This is what was found. I think that I am sure.'],
    ['headings', '# The Velmar in 2020\n\n## Length 5\n\nThe Year 2020\n---'],
    ['code', 'Run it:\n\n```\nVelmar 503\n```\n\nThen call `f(503)` again.'],
    ['JSON', '{"length": 503, "name": "The Velmar"}'],
    [
      'lists of links',
      '- [The Velmar 503](https://example.org/)\n- A page of 2020: https://example.org/2020',
    ],
    ['lists of sources', 'Long it is.\n\n[1] The Velmar, 2020\n[2] The Bridge, 2021'],
    ['the first rows of tables', '| in 2020 | in 2021 |\n|---|---|\n| long | short |'],
    ['numbers of items', '1. first\n2. second'],
    ['nothing', ''],
  ])('are none in %s', (_, answer) => {
    expect(count(answer)).toBe(0);
  });

  it('are counted one by one, whatever stands between them', () => {
    const piece = fc.constantFrom(
      { text: 'It is 503 m long.', uncited: 1 },
      { text: 'The bridge crosses the Velmar.', uncited: 1 },
      { text: '它很长。', uncited: 1 },
      { text: '- a list with 7 items', uncited: 1 },
      { text: 'It is 503 m long [1].', uncited: 0 },
      { text: 'The bridge crosses the Velmar【2】.', uncited: 0 },
      { text: '- 它很长[1]。', uncited: 0 },
      { text: 'This is all.', uncited: 0 },
      { text: '## Year 2020', uncited: 0 },
      { text: '```\nx = 503\n```', uncited: 0 },
      { text: '{"a": [503]}', uncited: 0 },
      { text: '- [Velmar 503](https://example.org/503)', uncited: 0 },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const answer = pieces.map(({ text }) => text).join('\n\n');
        expect(count(answer)).toBe(pieces.reduce((sum, { uncited }) => sum + uncited, 0));
      }),
    );
  });
});
