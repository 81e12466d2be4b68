import { expect, test } from 'vitest';
import { escapeControls, hasControls } from './printable.ts';

test.each([
  ...['\u0000', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u009f'],
  ...[
    '\u061c',
    '\u200b',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u2029',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\ufeff',
  ],
])('%j is a control character, and is shown as its escape, which JSON reads as the same', (control) => {
  const escaped = escapeControls(`a${control}b`);
  expect(hasControls(`a${control}b`)).toBe(true);
  expect(hasControls(escaped)).toBe(false);
  expect(JSON.parse(`"${escaped}"`)).toBe(`a${control}b`);
});

test('letters of any script, signs, emoji and joiners are no control characters', () => {
  const text = 'Zoë \u0645\u06cc\u200c\u062e \u05e9\u05dc \u{1f469}\u200d\u{1f467} — “x” \\u001b';
  expect([hasControls(text), escapeControls(text)]).toEqual([false, text]);
});
