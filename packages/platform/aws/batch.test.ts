import { BatchGetCommand, BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { batchDelete, batchGet, batchPut } from './batch.ts';

let dynamo: TestDynamo;
let waits: number;
const wait = async () => void waits++;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(() => {
  waits = 0;
});

const keys = Array.from({ length: 60 }, (_, i) => ({ pk: 'P', sk: String(i) }));

test('items are written, read and deleted by their keys, 25 writes a request', async () => {
  const { dynamodb, tables } = dynamo;
  let before = dynamo.requests();
  await batchPut({ dynamodb }, tables.values, keys);
  expect(dynamo.requests() - before).toBe(3);
  expect(await batchGet({ dynamodb }, tables.values, keys)).toEqual(expect.arrayContaining(keys));
  before = dynamo.requests();
  await batchDelete({ dynamodb }, tables.values, keys);
  expect(dynamo.requests() - before).toBe(3);
  expect((await dynamodb.send(new ScanCommand({ TableName: tables.values }))).Items).toEqual([]);
});

test('an empty list of keys makes no request', async () => {
  const before = dynamo.requests();
  expect(await batchGet(dynamo, 'Values', [])).toEqual([]);
  await batchDelete(dynamo, 'Values', []);
  expect(dynamo.requests()).toBe(before);
});

describe('a key that a throttled DynamoDB leaves unprocessed', () => {
  const mocked = () => {
    const mock = mockClient(dynamo.dynamodb);
    onTestFinished(() => mock.restore());
    return mock;
  };
  const first = { pk: 'P', sk: '0' };
  const second = { pk: 'P', sk: '1' };
  const deletions = (...some: object[]) => ({ Values: some.map((Key) => ({ DeleteRequest: { Key } })) });

  test('is read after a pause', async () => {
    const mock = mocked();
    const rest = { Values: { Keys: [second] } };
    mock
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { Values: [first] }, UnprocessedKeys: rest })
      .resolvesOnce({ Responses: { Values: [second] } });
    expect(await batchGet({ ...dynamo, wait }, 'Values', [first, second])).toEqual([first, second]);
    expect(mock.commandCalls(BatchGetCommand)[1]?.args[0].input.RequestItems).toEqual(rest);
    expect(waits).toBe(1);
  });

  test('is deleted after a pause', async () => {
    const mock = mocked();
    mock
      .on(BatchWriteCommand)
      .resolvesOnce({ UnprocessedItems: deletions(second) })
      .resolvesOnce({});
    await batchDelete({ ...dynamo, wait }, 'Values', [first, second]);
    const asked = mock.commandCalls(BatchWriteCommand).map((call) => call.args[0].input.RequestItems);
    expect(asked).toEqual([deletions(first, second), deletions(second)]);
    expect(waits).toBe(1);
  });

  test('is an error if it stays unprocessed', async () => {
    const mock = mocked();
    mock.on(BatchGetCommand).resolves({ UnprocessedKeys: { Values: { Keys: [first] } } });
    mock.on(BatchWriteCommand).resolves({ UnprocessedItems: deletions(first) });
    await expect(batchGet({ ...dynamo, wait }, 'Values', [first])).rejects.toThrow('left keys unread');
    await expect(batchDelete({ ...dynamo, wait }, 'Values', [first])).rejects.toThrow('left items unwritten');
    expect(waits).toBe(14);
  });
});
