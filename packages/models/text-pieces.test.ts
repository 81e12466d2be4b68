import fc from 'fast-check';
import { countTokens as libraryCount } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { pieceCharacters, textPieces, withShortRuns } from './text-pieces.ts';
import { countTokens } from './tokens.ts';

/** Runs that o200k may take for one piece, and others. */
const runs = /[\p{L}\p{M}]+|[^\p{L}\p{N}]+/gu;

/** A unit and its repetitions. They are expanded only in the test, so that a counterexample stays readable. */
const repeated = fc.tuple(
  fc.array(fc.constantFrom('!', '\n', '/', ' ', 'a', 'B', '\u0301', '1', '😀', '漢', "'s", '\u200d'), {
    minLength: 1,
    maxLength: 4,
  }),
  fc.integer({ min: 1, max: 12_000 }),
);

test('whatever the text, no part is longer than a bound, nor any run in it, and nothing of it is lost', () => {
  fc.assert(
    fc.property(fc.array(repeated, { maxLength: 3 }), (runsOfUnits) => {
      const text = runsOfUnits.map(([unit, times]) => unit.join('').repeat(times)).join('x1');
      const parts = [...textPieces(text)].flatMap((piece) => {
        expect(piece.length).toBeLessThanOrEqual(2 * pieceCharacters);
        return [...withShortRuns(piece)];
      });
      expect(parts.join('') === text).toBe(true);
      for (const part of parts) {
        expect(part.isWellFormed()).toBe(true);
        for (const [run] of part.matchAll(runs)) expect([...run].length).toBeLessThanOrEqual(513);
      }
    }),
    { numRuns: 60 },
  );
});

test('ordinary text has the tokens that the library counts, however long it is', async () => {
  const word = fc.constantFrom(
    'The',
    'brown',
    "fox's",
    'naïve',
    'Zürich,',
    '漢字',
    '1984.',
    '(so)',
    'don’t',
    'a\n\nb',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(1, 200),
      async (words, times) => {
        const text = Array.from({ length: times }, () => words.join(' ')).join(' ');
        expect(await countTokens(text)).toBe(libraryCount(text));
      },
    ),
    { numRuns: 60 },
  );
});

test('the event loop is free while a long text, or many short ones, are counted', async () => {
  const texts = ['The quick brown fox. '.repeat(5_000), ...Array<string>(5_000).fill('jumps over the dog.')];
  for (const some of [texts.slice(0, 1), texts.slice(1)]) {
    let turns = 0;
    let counting = true;
    const takeTurns = () => {
      turns++;
      if (counting) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    for (const text of some) await countTokens(text);
    counting = false;
    expect(turns).toBeGreaterThan(3);
  }
});
