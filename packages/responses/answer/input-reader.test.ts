import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInputReader } from './input-reader.ts';

const read = (pieces: readonly string[]): string => {
  const reader = createInputReader();
  return pieces.map((piece) => reader.read(piece)).join('') + reader.end();
};

test('the text of any arguments is the one that was written, in whatever pieces it comes', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, fc.boolean(), fc.array(fc.nat(80)), (input, escapes, cuts) => {
      const plain = JSON.stringify({ input });
      const written = escapes
        ? plain.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : plain;
      const places = [0, ...cuts.filter((cut) => cut < written.length).sort((a, b) => a - b), written.length];
      const pieces = places.slice(1).map((end, index) => written.slice(places[index], end));
      expect(read(pieces)).toBe(input);
    }),
  );
});

test.each([
  ['what breaks off', ['{"input":"a\\n', 'b\\u00'], 'a\nb'],
  ['another field first', ['{"a":1,', '"input":"b"}'], 'b'],
  ['no object', ['*** Begin', ' Patch'], '*** Begin Patch'],
  ['an input that is no text', ['{"input":{}}'], '{"input":{}}'],
])('%s is read as far as it goes', (_, pieces, text) => {
  expect(read(pieces)).toBe(text);
});
