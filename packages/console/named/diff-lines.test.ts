import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const told = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

test('tells what was added, removed and kept', () => {
  expect(told('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d']);
});

test('leads from the one text to the other, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(without('added').join('\n')).toBe(before);
      expect(without('removed').join('\n')).toBe(after);
    }),
  );
});

test('takes texts of very many lines', () => {
  const many = (line: string) => Array.from({ length: 10_000 }, (_, i) => `${line}${i}`).join('\n');
  expect(diffLines(`same\n${many('a')}`, `same\n${many('b')}`)).toHaveLength(20_002);
});
