import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, isApiKey, newApiKey } from './key.ts';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a new key has the prefix, 32 random characters and a checksum of 6', () => {
  const key = newApiKey();
  expect(key).toMatch(/^errand_[0-9A-Za-z]{38}$/);
  expect(isApiKey(key)).toBe(true);
  expect(newApiKey()).not.toBe(key);
});

test('any one mistyped character is noticed', () => {
  const key = newApiKey();
  const place = fc.nat(key.length - 1);
  const character = fc.oneof(fc.constantFrom(...letters), fc.string({ unit: 'grapheme', minLength: 1 }));
  fc.assert(
    fc.property(place, character, (at, typed) => {
      fc.pre(typed !== key[at]);
      expect(isApiKey(key.slice(0, at) + typed + key.slice(at + 1))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('text with more or fewer characters than a key is not a key', () => {
  const key = newApiKey();
  for (const text of [` ${key}`, `${key}\n`, `${key}a`, key.slice(0, -1), key.toUpperCase(), ''])
    expect(isApiKey(text)).toBe(false);
});

test('the stored form of a key is its SHA-256 in hex', () => {
  expect(hashKey('errand_test')).toMatch(/^[0-9a-f]{64}$/);
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
