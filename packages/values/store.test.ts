import { putItem, systemClock } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { accountValues, type ValuesDeps } from './store.ts';

let dynamo: TestDynamo;
let deps: ValuesDeps;

beforeAll(async () => {
  dynamo = await startTestDynamo();
  deps = { dynamodb: dynamo.dynamodb, tables: dynamo.tables, clock: systemClock };
});
afterAll(() => dynamo.close());

const valuesOf = (agentId: string) => accountValues(deps, { accountId: 'account', agentId });
const careful = { mayReplace: false, isOutside: true };

test('of runs that may not replace and save a new name at the same time, one saves it', async () => {
  const runs = Array.from({ length: 20 }, (_, i) => `run-${i}`);
  const saved = await Promise.all(runs.map((run) => valuesOf(run).save('new', run, careful)));
  expect(saved.filter(Boolean)).toHaveLength(1);
  const winner = runs[saved.indexOf(true)]!;
  expect(await valuesOf('any').read('new')).toEqual({ value: winner, isOutside: true });
});

test('a run may save again what it has saved, and another run may not', async () => {
  const run = valuesOf('run');
  expect(await run.save('own', '1', careful)).toBe(true);
  expect(await run.save('own', '1', careful)).toBe(true);
  expect(await valuesOf('other').save('own', '2', careful)).toBe(false);
  expect(await valuesOf('other').save('own', '3', { mayReplace: true, isOutside: false })).toBe(true);
  expect(await run.save('own', '4', careful)).toBe(false);
  expect(await run.read('own')).toEqual({ value: '3', isOutside: false });
});

test('a value that an earlier release saved is not replaced, and is none from outside', async () => {
  const Item = { pk: 'ACCOUNT#account', sk: 'VALUE#old', name: 'old', value: '1', updatedAt: '2026-11-01' };
  await putItem(dynamo, { TableName: dynamo.tables.values, Item });
  expect(await valuesOf('run').save('old', '2', careful)).toBe(false);
  expect(await valuesOf('run').read('old')).toEqual({ value: '1', isOutside: false });
});

test('the names of an account are from outside if any of them was saved after a run had read from there', async () => {
  const values = accountValues(deps, { accountId: 'another', agentId: 'run' });
  expect(await values.names()).toEqual({ names: [], isOutside: false });
  await values.save('a', '1', { mayReplace: true, isOutside: false });
  expect(await values.names()).toEqual({ names: ['a'], isOutside: false });
  await values.save('b', '1', { mayReplace: true, isOutside: true });
  expect(await values.names()).toEqual({ names: ['a', 'b'], isOutside: true });
});
