import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { createKeyCache } from './key-cache.ts';

const principal = { keyId: 'key_1', accountId: 'account_1' };

test('a key is known for the stated time and no longer', () => {
  const cache = createKeyCache();
  cache.set('hash', principal, 1_000);
  expect(cache.get('hash', 1_000 + limits.keyCacheMilliseconds - 1)).toEqual(principal);
  expect(cache.get('hash', 1_000 + limits.keyCacheMilliseconds)).toBeUndefined();
});

test('a clock that was set back does not keep a key alive', () => {
  const cache = createKeyCache();
  cache.set('hash', principal, 1_000_000);
  expect(cache.get('hash', 999_999)).toBeUndefined();
});

test('a full cache forgets the key that was read longest ago', () => {
  const cache = createKeyCache(2);
  cache.set('first', principal, 0);
  cache.set('second', principal, 1);
  cache.set('first', principal, 2);
  cache.set('third', principal, 3);
  expect(cache.get('second', 3)).toBeUndefined();
  expect(cache.get('first', 3)).toEqual(principal);
  expect(cache.get('third', 3)).toEqual(principal);
});
