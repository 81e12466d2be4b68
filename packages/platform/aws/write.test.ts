import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { ConditionsFailed } from './conditions.ts';
import { transact } from './transact.ts';
import { deleteItem, putItem, updateItem } from './write.ts';

let dynamo: TestDynamo;
let TableName: string;

beforeAll(async () => {
  dynamo = await startTestDynamo();
  TableName = dynamo.tables.values;
});
afterAll(() => dynamo.close());

const Key = { pk: 'P', sk: 'S' };
const winner = { ...Key, holder: 'the first', tags: ['a', { b: 1 }] };

const failureOf = async (writing: Promise<unknown>): Promise<ConditionsFailed> => {
  const failure = await writing.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConditionsFailed);
  return failure as ConditionsFailed;
};

test('a write that fails its condition names the condition and has the item, with no further request', async () => {
  const ConditionExpression = 'attribute_not_exists(pk)';
  const isHolder = {
    ConditionExpression: 'holder = :holder',
    ExpressionAttributeValues: { ':holder': 'another' },
  };
  const Item = { ...Key, holder: 'the second' };
  await putItem(dynamo, { condition: 'value-new', TableName, Item: winner, ConditionExpression });
  const losers = [
    () => putItem(dynamo, { condition: 'value-new', TableName, Item, ConditionExpression }),
    () => updateItem(dynamo, { condition: 'value-new', TableName, Key, ...isHolder }),
    () => deleteItem(dynamo, { condition: 'value-new', TableName, Key, ...isHolder }),
    () => transact(dynamo, [{ condition: 'value-new', Put: { TableName, Item, ConditionExpression } }]),
  ];
  for (const lose of losers) {
    const before = dynamo.requests();
    const failure = await failureOf(lose());
    expect(failure.conditions).toEqual(['value-new']);
    expect(failure.item('value-new')).toEqual(winner);
    expect(failure.item('another-name')).toBeUndefined();
    expect(dynamo.requests() - before).toBe(1);
  }
});

test('a write that fails because there is no item has no item', async () => {
  const ConditionExpression = 'attribute_exists(pk)';
  const missing = { TableName, Key: { pk: 'P', sk: 'missing' }, ConditionExpression };
  const failure = await failureOf(updateItem(dynamo, { condition: 'value-there', ...missing }));
  expect(failure.has('value-there')).toBe(true);
  expect(failure.item('value-there')).toBeUndefined();
});
