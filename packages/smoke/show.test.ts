import { expect, test } from 'vitest';
import { excerpt, printable } from './show.ts';

const key = `errand_${'a1B2'.repeat(10)}`;

test('a text is one line, without what would steer a terminal or turn the direction of writing', () => {
  expect(excerpt('\u001b[1A\u001b[2Kall\r\n\tis\u0007 \u009b31mwell\u202e\u200b')).toBe(
    '[1A[2Kall is 31mwell',
  );
});

test('a key is not shown, whether it is whole, broken up by what is left out, or cut off by the excerpt', () => {
  expect(excerpt(`Bearer ${key}, and ${key}`)).toBe('Bearer ***, and ***');
  expect(excerpt(`Bearer ${key.slice(0, 20)}\u001b${key.slice(20)}`)).toBe('Bearer ***');
  expect(excerpt(`${'x '.repeat(75)}${key}`)).toBe(`${'x '.repeat(75)}***`);
});

test('a key of another form is not shown if the caller names the key', () => {
  expect(printable('Authorization: Bearer my own key', ['my own key'])).toBe('Authorization: Bearer ***');
});
