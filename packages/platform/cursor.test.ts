import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a position comes back out of its cursor, which needs no escaping in a URL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (position) => {
      const cursor = encodeCursor(position);
      expect(encodeURIComponent(cursor)).toBe(cursor);
      expect(decodeCursor(cursor, (text) => text)).toBe(position);
    }),
  );
});

test('a cursor without a position is refused in the words of its route', () => {
  const none = () => undefined;
  const refused = (problem: string) =>
    expect.objectContaining({ code: 'invalid_request', details: { issues: [{ field: 'cursor', problem }] } });
  expect(() => decodeCursor('x', none)).toThrow(refused('is not one of ours'));
  expect(() => decodeCursor('x', none, 'is not a cursor')).toThrow(refused('is not a cursor'));
});
