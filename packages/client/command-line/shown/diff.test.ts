import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from '../commands/skills.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
const side = (lines: readonly string[], marks: string) =>
  lines.filter((line) => marks.includes(line[0] ?? '?')).map((line) => line.slice(1));

test('both texts can be read out of their difference', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      expect(side(lines, ' -').join('\n')).toBe(before);
      expect(side(lines, ' +').join('\n')).toBe(after);
    }),
  );
});

test('lines that both texts have are shown once', () => {
  expect(diffLines('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d']);
});

test('very long texts that have little in common are shown as replaced', () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`).join('\n');
  const difference = diffLines(lines('old'), lines('new'));
  expect(difference).toHaveLength(40_000);
  expect(difference[0]).toBe('-old 0');
  expect(difference.at(-1)).toBe('+new 19999');
});
