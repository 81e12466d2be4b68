import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asNumber, parseExactJson } from './exact-json.ts';

test.each([
  ...['1e400', '-1e400', '1e-400', '12345678901234567890', '0.12345678901234567890', '9007199254740993'],
  ...['12345678.123456789012', `1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`],
])('the number %s is written again as it was', (written) => {
  expect(JSON.stringify(parseExactJson(`{"a":[${written},"b"]}`))).toBe(`{"a":[${written},"b"]}`);
});

test.each([
  ...['1e20', '1.0', '1.50e3', '-0', '0e999', '9007199254740991', '1000000000000000000', '0.1', '1E+2'],
  ...['123456789012345600', '1.000000000000000000', '5e-324', '1e308'],
])('the number %s is a number, as its value does not change', (written) => {
  const [read] = parseExactJson(`[${written},"1234567890123456"]`) as unknown[];
  expect(read).toBe(Number(written));
});

test('a number that is all of the text is one, and another can be made one', () => {
  expect(parseExactJson('12345678901234567890')).toBe(Number('12345678901234567890'));
  const [kept] = parseExactJson('[12345678901234567890]') as unknown[];
  expect(asNumber(kept)).toBe(Number('12345678901234567890'));
  expect(asNumber('a')).toBe('a');
});

test('whatever JSON has is read as JSON.parse reads it, and what is no JSON is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify([value, '1234567890123456']);
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    }),
  );
  expect(() => parseExactJson('{"a":1234567890123456,}')).toThrow(SyntaxError);
});
