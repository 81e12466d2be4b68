import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { getItem, queryAll, queryPage } from './read.ts';
import { putItem } from './write.ts';

let dynamo: TestDynamo;
let TableName: string;

const hundredKilobytes = 'x'.repeat(100_000);
const items = Array.from({ length: 25 }, (_, i) => ({ pk: 'P', sk: String(i).padStart(2, '0') }));

beforeAll(async () => {
  dynamo = await startTestDynamo();
  TableName = dynamo.tables.values;
  for (const key of items) await putItem(dynamo, { TableName, Item: { ...key, text: hundredKilobytes } });
});
afterAll(() => dynamo.close());

const ofPartition = (pk: string) => ({
  TableName,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
  ProjectionExpression: 'pk, sk',
});

test('an item is read by its key, and a missing one is undefined', async () => {
  expect(await getItem(dynamo, TableName, items[3]!)).toEqual({ ...items[3], text: hundredKilobytes });
  expect(await getItem(dynamo, TableName, { pk: 'P', sk: 'missing' })).toBeUndefined();
});

test('every item of a query is read, though DynamoDB ends a page after 1 MB', async () => {
  const before = dynamo.requests();
  expect(await queryAll(dynamo, ofPartition('P'))).toEqual(items);
  expect(dynamo.requests() - before).toBe(3);
  expect(await queryAll(dynamo, ofPartition('another'))).toEqual([]);
});

test('a page says where the next one starts, and the last page does not', async () => {
  const first = await queryPage(dynamo, { ...ofPartition('P'), Limit: 5 });
  expect(first).toEqual({ items: items.slice(0, 5), last: items[4] });
  const rest = { ...ofPartition('P'), Limit: 25, ExclusiveStartKey: items[19] };
  expect(await queryPage(dynamo, rest)).toEqual({ items: items.slice(20) });
});
