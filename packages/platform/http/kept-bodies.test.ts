import { expect, test } from 'vitest';
import { createKeptBodies } from './kept-bodies.ts';

function house(limitBytes: number) {
  const kept = createKeptBodies(limitBytes);
  const givenUp: string[] = [];
  const bodies = new Map<string, { giveUp(): void }>();
  const body = (name: string) => {
    const known = bodies.get(name) ?? { giveUp: () => void givenUp.push(name) };
    bodies.set(name, known);
    return known;
  };
  return {
    givenUp,
    note: (name: string, bytes: number) => kept.note(body(name), bytes),
    forget: (name: string) => kept.forget(body(name)),
  };
}

test('bodies that fit are all kept, however they grow', () => {
  const { note, givenUp } = house(100);
  for (let bytes = 1; bytes <= 50; bytes++) for (const name of ['one', 'other']) note(name, bytes);
  expect(givenUp).toEqual([]);
});

test('past the bound, those that have brought nothing for the longest are given up, and no more than needed', () => {
  const { note, givenUp } = house(100);
  for (const name of ['first', 'second', 'third']) note(name, 30);
  note('first', 31);
  note('fourth', 30);
  expect(givenUp).toEqual(['second']);
  note('first', 95);
  expect(givenUp).toEqual(['second', 'third', 'fourth']);
});

test('a body that is whole makes room', () => {
  const { note, forget, givenUp } = house(100);
  for (let i = 0; i < 50; i++) {
    note(`whole ${i}`, 90);
    forget(`whole ${i}`);
    forget(`whole ${i}`);
  }
  note('next', 100);
  expect(givenUp).toEqual([]);
});
