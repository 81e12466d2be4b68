import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('pieces of work are done one at a time, in their order, and a failed piece holds up no other', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = turns.run(async () => {
    seen.push('one begins');
    await first.promise;
    seen.push('one ends');
    throw new Error('one');
  });
  const two = turns.run(async () => seen.push('two'));
  expect(turns.busy()).toBe(true);
  first.resolve();
  await expect(one).rejects.toThrow('one');
  await two;
  expect(seen).toEqual(['one begins', 'one ends', 'two']);
  expect(turns.busy()).toBe(false);
});
