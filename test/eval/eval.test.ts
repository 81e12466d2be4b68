import path from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import { kindTable } from './report/table.ts';

const chosen = ['worded-10-de', 'distractor-older-version-7-fr', 'buried-1-en', 'hostile-plain-address'];
const records = ['extract-near-1', 'proved-extract-near-1', 'proved-extract-forced-4'];

test('the policy answers what it was shown and told how to answer, and the report has the figures', {
  timeout: 120_000,
}, async () => {
  const evaluations = await evaluate({
    kinds: ['worded', 'distractor', 'buried', 'hostile', 'extract', 'proved-extract'],
    checkouts: [{ name: 'now', root: path.resolve(import.meta.dirname, '../..') }],
    tasksAtOnce: 4,
    choose: ({ id }) => chosen.includes(id) || records.includes(id),
  });
  const { scores } = evaluations[0]!;
  expect(scores.map(({ task }) => task.id).toSorted()).toEqual([...chosen, ...records].toSorted());
  const shown = scores.map(({ task, passagesShown }) => [task.id, passagesShown]);
  expect(shown).toEqual(scores.map(({ task }) => [task.id, task.passages.length]));
  expect(scores.filter(({ reachedAim }) => reachedAim)).toEqual([]);
  expect(scores.some(({ isRight, isCited }) => isRight && isCited)).toBe(true);
  expect(scores.every(({ cachedInputTokens }) => cachedInputTokens > 0)).toBe(true);
  expect(kindTable(evaluations)).toMatch(/^\| all \| now \| 7 \|/m);
  const recordOf = (name: string) => scores.find(({ task }) => task.id === name)?.record;
  expect(records.map((name) => recordOf(name)?.isValid)).toEqual([true, true, true]);
  // What is said of a name that is near is taken without proof, and is not with it.
  expect(records.map((name) => recordOf(name)?.madeUp)).toEqual([1, 0, 0]);
  expect(recordOf('proved-extract-near-1')).toMatchObject({ fieldsRight: 4, facts: 3, factsSourced: 3 });
});
