import { expect, test } from 'vitest';
import { withChanges } from './with-changes.ts';

const defaults = { seconds: 5, bytes: 100 };

test('a change replaces the field, whatever its value', () => {
  expect(withChanges(defaults, { seconds: 0 })).toStrictEqual({ seconds: 0, bytes: 100 });
});

test('an undefined change keeps the field', () => {
  expect(withChanges(defaults, { seconds: undefined, bytes: 7 })).toStrictEqual({ seconds: 5, bytes: 7 });
});
