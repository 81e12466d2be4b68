import { expect, test } from 'vitest';
import { createWholeBodies } from './whole-bodies.ts';

test('an owner alone gets two thirds of the memory, and another one finds room', () => {
  const bodies = createWholeBodies(90);
  for (let i = 0; i < 6; i++) expect(bodies.take('one', 10)).toBeDefined();
  expect(bodies.take('one', 10)).toBeUndefined();
  expect(bodies.take('other', 10)).toBeDefined();
});

test('memory is there again once it was given back', () => {
  const bodies = createWholeBodies(90);
  for (let i = 0; i < 50; i++) {
    const giveBack = bodies.take('one', 60);
    expect([giveBack, bodies.take('one', 10)]).toEqual([expect.any(Function), undefined]);
    giveBack?.();
  }
});
