import { expect, test } from 'vitest';
import { createRecentCache } from './recent-cache.ts';

const principal = { keyId: 'key_1', accountId: 'account_1' };

const milliseconds = 5_000;

test('an entry is returned for the stated time and no longer', () => {
  const cache = createRecentCache(milliseconds);
  cache.set('hash', principal, 1_000);
  expect(cache.get('hash', 1_000 + milliseconds - 1)).toEqual(principal);
  expect(cache.get('hash', 1_000 + milliseconds)).toBeUndefined();
});

test('a clock that was set back does not keep an entry alive', () => {
  const cache = createRecentCache(milliseconds);
  cache.set('hash', principal, 1_000_000);
  expect(cache.get('hash', 999_999)).toBeUndefined();
});

test('a full cache drops the entry that was read longest ago', () => {
  const cache = createRecentCache(milliseconds, 2);
  cache.set('first', principal, 0);
  cache.set('second', principal, 1);
  cache.set('first', principal, 2);
  cache.set('third', principal, 3);
  expect(cache.get('second', 3)).toBeUndefined();
  expect(cache.get('first', 3)).toEqual(principal);
  expect(cache.get('third', 3)).toEqual(principal);
});
