import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ConflictingDynamo,
  type SentWrite,
  startConflictingDynamo,
} from '../../../test/support/conflicts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { retryConflicts } from './clients.ts';
import { createDocuments } from './documents.ts';
import { localCredentials, localRegion } from './local.ts';
import { transact } from './transact.ts';

let dynamo: TestDynamo;
let proxy: ConflictingDynamo;
let client: DynamoDBClient;
let waits: number[];

beforeAll(async () => {
  dynamo = await startTestDynamo();
  proxy = await startConflictingDynamo(dynamo.endpoint);
});
afterAll(async () => {
  await proxy.close();
  await dynamo.close();
});
beforeEach(() => {
  waits = [];
  client = new DynamoDBClient({ endpoint: proxy.url, region: localRegion, credentials: localCredentials });
  retryConflicts(client, { wait: async (milliseconds) => void waits.push(milliseconds) });
});
afterEach(() => client.destroy());

const documents = () => createDocuments(client);
const Key = { pk: 'P', sk: 'S' };

const cancelled = (...codes: string[]) => ({
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  message: 'cancelled',
  CancellationReasons: codes.map((Code) => ({ Code })),
});

/** Refuses every write, or the given number of writes, and keeps what was sent. */
function refuse(times = Number.POSITIVE_INFINITY, answer?: object): SentWrite[] {
  const sent: SentWrite[] = [];
  proxy.conflict(times, (write) => sent.push(write) > 0, answer);
  return sent;
}

test.each([
  { write: 'PutItem', send: () => new PutCommand({ TableName: dynamo.tables.values, Item: Key }) },
  { write: 'UpdateItem', send: () => new UpdateCommand({ TableName: dynamo.tables.values, Key }) },
  { write: 'DeleteItem', send: () => new DeleteCommand({ TableName: dynamo.tables.values, Key }) },
])('a plain $write that collides with a transaction is sent again after a wait', async ({ write, send }) => {
  const sent = refuse(1);
  await documents().send(send() as PutCommand);
  expect(sent.map(({ operation }) => operation)).toEqual([write]);
  expect(waits).toHaveLength(1);
});

test('a transaction that the SDK sends again has the same token', async () => {
  const sent = refuse(2, {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  });
  await transact({ dynamodb: documents() }, [{ Put: { TableName: dynamo.tables.values, Item: Key } }]);
  expect(sent).toHaveLength(2);
  expect(sent[0]?.input).toContain('"ClientRequestToken"');
  expect(sent[1]?.input).toBe(sent[0]?.input);
  expect(waits).toEqual([]);
});

test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'a cancellation by %s passes: the same writes are sent again after a wait, as a transaction of their own',
  async (code) => {
    const sent = refuse(2, cancelled('None', code));
    const writes = [
      { Put: { TableName: dynamo.tables.values, Item: Key } },
      { Delete: { TableName: dynamo.tables.values, Key: { pk: 'P', sk: 'other' } } },
    ];
    await transact({ dynamodb: documents() }, writes);
    expect(waits).toHaveLength(2);
    const [first, second] = sent.map(({ input }) => JSON.parse(input) as Record<string, unknown>);
    expect(second?.TransactItems).toEqual(first?.TransactItems);
    expect(second?.ClientRequestToken).not.toBe(first?.ClientRequestToken);
  },
);

test.each([undefined, cancelled('TransactionConflict', 'None')])(
  'a conflict that does not end is thrown after 12 attempts and bounded waits: %o',
  async (answer) => {
    const sent = refuse(12, answer);
    const name = answer ? 'TransactionCanceledException' : 'TransactionConflictException';
    const put = new PutCommand({ TableName: dynamo.tables.values, Item: Key });
    await expect(documents().send(put)).rejects.toMatchObject({ name });
    expect(sent).toHaveLength(12);
    expect(waits).toHaveLength(11);
    expect(Math.max(...waits)).toBeLessThan(1_000);
  },
);

test.each([cancelled('ConditionalCheckFailed', 'TransactionConflict'), cancelled('ValidationError', 'None')])(
  'a transaction that no repetition helps is thrown at once: %o',
  async (answer) => {
    const sent = refuse(1, answer);
    const writes = [{ Put: { TableName: dynamo.tables.values, Item: Key } }];
    await expect(transact({ dynamodb: documents() }, writes)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
    });
    expect(sent).toHaveLength(1);
    expect(waits).toEqual([]);
  },
);
