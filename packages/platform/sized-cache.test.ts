import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSizedCache } from './sized-cache.ts';

test('a full cache drops the least recently used values, as many as the new value needs', () => {
  const cache = createSizedCache<string>(100);
  cache.set('first', 'a', 40);
  cache.set('second', 'b', 40);
  cache.get('first');
  cache.set('third', 'c', 30);
  expect(['first', 'second', 'third'].map(cache.get)).toEqual(['a', undefined, 'c']);
  cache.set('fourth', 'd', 100);
  expect(['first', 'third', 'fourth'].map(cache.get)).toEqual([undefined, undefined, 'd']);
});

test('a value larger than the cache is not kept, drops no other value, and removes the former value of its key', () => {
  const cache = createSizedCache<string>(100);
  cache.set('kept', 'a', 50);
  cache.set('large', 'b', 50);
  cache.set('large', 'c', 101);
  expect(['kept', 'large'].map(cache.get)).toEqual(['a', undefined]);
});

test('the values never exceed the cache’s bytes, and the newest is kept, in any order of sets and reads', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    bytes: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const cache = createSizedCache<number>(100);
      for (const { key, bytes } of steps) {
        cache.set(key, bytes, bytes);
        const kept = ['a', 'b', 'c', 'd'].map((each) => cache.get(each) ?? 0);
        expect(kept.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(100);
        expect(cache.get(key)).toBe(bytes);
      }
    }),
  );
});
