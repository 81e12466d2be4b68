import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { countRequest } from './rate.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const depsOf = () => ({
  dynamodb: dynamo.dynamodb,
  tables: dynamo.tables,
  clock: () => Date.UTC(2026, 10, 21, 12, 1),
  rateLimitRequests: 60,
});

test('simultaneous requests are counted by few updates, and each gets its own number', async () => {
  const deps = depsOf();
  const before = dynamo.requests();
  const one = Array.from({ length: 80 }, () => countRequest(deps, 'one'));
  const other = Array.from({ length: 5 }, () => countRequest(deps, 'other'));
  const windows = await Promise.all(one);
  expect(windows.map(({ remaining }) => remaining).toSorted((a, b) => b - a)).toEqual([
    ...Array.from({ length: 60 }, (_, i) => 59 - i),
    ...Array(20).fill(0),
  ]);
  expect(windows.filter(({ exceeded }) => exceeded)).toHaveLength(20);
  expect((await Promise.all(other)).map(({ remaining }) => remaining)).toEqual([59, 58, 57, 56, 55]);
  expect(dynamo.requests() - before).toBe(2);
});

test('requests one after the other cost an update each and are counted on', async () => {
  const deps = depsOf();
  const before = dynamo.requests();
  for (const remaining of [59, 58, 57]) expect((await countRequest(deps, 'third')).remaining).toBe(remaining);
  expect(dynamo.requests() - before).toBe(3);
});
