import { expect, test } from 'vitest';
import { kinds } from '../tasks/task.ts';
import { makeCorpus } from './corpus.ts';

const places = { site: 'http://site.test', attacker: 'http://attacker.test' };
/** All kinds but long documents, which take seconds to make. */
const quick = kinds.filter((kind) => kind !== 'long-document');

test('the corpus is the same each time', () => {
  const [first, second] = [makeCorpus(quick, places), makeCorpus(quick, places)];
  expect(first.materials.map(({ path, bytes }) => [path, bytes.length])).toEqual(
    second.materials.map(({ path, bytes }) => [path, bytes.length]),
  );
  expect(first.tasks.map(({ question }) => question)).toEqual(second.tasks.map(({ question }) => question));
});

test('every kind has tasks, each with a question of its own', () => {
  const { tasks, materials } = makeCorpus(quick, places);
  expect(new Set(tasks.map(({ kind }) => kind))).toEqual(new Set(quick));
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  const questions = tasks.map(({ question }) => question);
  const shared = questions.filter((one, i) => questions.some((other, j) => i !== j && other.startsWith(one)));
  expect(shared).toEqual([]);
  expect(new Set(materials.map(({ path }) => path)).size).toBe(materials.length);
  expect(materials.filter(({ isIndexed }) => isIndexed).length).toBeGreaterThanOrEqual(100);
});
