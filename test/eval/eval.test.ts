import path from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import { kindTable } from './report/table.ts';

const chosen = [
  'one-fact-web-1',
  'one-fact-docx',
  'several-hops-seat-1',
  'table.xlsx-1',
  'no-answer-1',
  'hostile-plain-address',
  'skill-letter',
];

test('the policy answers a task of each quick kind, and the report has them', {
  timeout: 120_000,
}, async () => {
  const evaluations = await evaluate({
    kinds: ['one-fact', 'several-hops', 'table', 'no-answer', 'hostile', 'skill'],
    checkouts: [{ name: 'now', root: path.resolve(import.meta.dirname, '../..') }],
    tasksAtOnce: 4,
    choose: ({ id }) => chosen.includes(id),
  });
  const { scores } = evaluations[0]!;
  expect(scores.map(({ task }) => task.id).toSorted()).toEqual(chosen.toSorted());
  expect(scores.filter(({ isRight }) => !isRight).map(({ task, answer }) => [task.id, answer])).toEqual([]);
  for (const { task, passagesShown } of scores)
    expect([task.id, passagesShown]).toEqual([task.id, task.passages.length]);
  expect(scores.filter(({ reachedAim }) => reachedAim)).toEqual([]);
  expect(scores.every(({ claims, claimsSupported }) => claims === claimsSupported)).toBe(true);
  expect(kindTable(evaluations)).toMatch(/^\| all \| now \| 8 \| 100 % of 8 \|/m);
});
