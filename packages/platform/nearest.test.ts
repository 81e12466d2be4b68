import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestOf } from './nearest.ts';

test.each([
  ['writer', 'writer', 0],
  ['writr', 'writer', 1],
  ['wirter', 'writer', 1],
  ['writerss', 'writer', 2],
  ['', 'writer', 6],
])('the distance of %j and %j is %i', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
});

test('a distance is the same both ways, and at most the length of the longer word', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (one, other) => {
      const distance = editDistance(one, other);
      expect(distance).toBe(editDistance(other, one));
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(distance === 0).toBe(one === other);
    }),
  );
});

test('the nearest word is found whatever its case, the first of several that are as near', () => {
  expect(nearestOf('WRITR', ['eyes', 'writer', 'waiter'])).toBe('writer');
  expect(nearestOf('xyz', ['abc', 'def'])).toBe('abc');
  expect(nearestOf('writer', [])).toBeUndefined();
});
