import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyMissingItems } from '../../scripts/copy-table.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

test('a table gets what it lacks of a restored one, over several pages, and keeps what it has', async () => {
  const { dynamodb, tables } = dynamo;
  const [from, to] = [tables.runs, tables.values];
  const put = (TableName: string, Item: object) =>
    dynamodb.send(new PutCommand({ TableName, Item: { sk: 'x', ...Item } }));
  // A scan answers at most 1 MB a page.
  for (let i = 0; i < 40; i++) await put(from, { pk: `item-${i}`, text: 'x'.repeat(50_000) });
  await put(to, { pk: 'item-7', text: 'newer' });
  await put(to, { pk: 'item-41' });
  expect(await copyMissingItems(dynamodb, { from, to })).toEqual({ copied: 39, kept: 1 });
  const { Item: kept } = await dynamodb.send(
    new GetCommand({ TableName: to, Key: { pk: 'item-7', sk: 'x' } }),
  );
  expect(kept).toMatchObject({ text: 'newer' });
  expect(await copyMissingItems(dynamodb, { from, to })).toEqual({ copied: 0, kept: 40 });
});
