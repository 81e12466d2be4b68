import path from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import { kindTable } from './report/table.ts';

const chosen = ['worded-10-de', 'distractor-older-version-7-fr', 'buried-1-en', 'hostile-plain-address'];

test('the policy answers what it was shown and told how to answer, and the report has the figures', {
  timeout: 120_000,
}, async () => {
  const evaluations = await evaluate({
    kinds: ['worded', 'distractor', 'buried', 'hostile'],
    checkouts: [{ name: 'now', root: path.resolve(import.meta.dirname, '../..') }],
    tasksAtOnce: 4,
    choose: ({ id }) => chosen.includes(id),
  });
  const { scores } = evaluations[0]!;
  expect(scores.map(({ task }) => task.id).toSorted()).toEqual(chosen.toSorted());
  const shown = scores.map(({ task, passagesShown }) => [task.id, passagesShown]);
  expect(shown).toEqual(scores.map(({ task }) => [task.id, task.passages.length]));
  expect(scores.filter(({ reachedAim }) => reachedAim)).toEqual([]);
  expect(scores.some(({ isRight, isCited }) => isRight && isCited)).toBe(true);
  expect(scores.every(({ cachedInputTokens }) => cachedInputTokens > 0)).toBe(true);
  expect(kindTable(evaluations)).toMatch(/^\| all \| now \| 4 \|/m);
});
