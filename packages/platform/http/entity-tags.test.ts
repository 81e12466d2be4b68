import { expect, test } from 'vitest';
import { hasCurrent, listedTags } from './entity-tags.ts';

test.each([
  [undefined, '"a"', false],
  ['*', '"a"', true],
  ['"a"', '"a"', true],
  ['"b", "a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b","ab"', '"a"', false],
  ['a', '"a"', false],
  ['', '"a"', false],
])('a copy with %s of %s is current: %s', (header, etag, expected) => {
  expect(hasCurrent(header, etag)).toBe(expected);
});

test('weak tags are told from strong ones', () => {
  expect(listedTags('"a", W/"b", c')).toEqual([
    { tag: '"a"', isWeak: false },
    { tag: '"b"', isWeak: true },
  ]);
});
