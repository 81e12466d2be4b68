import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { localRegion, localTableNames } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../dynamodb.ts';
import { functionCredentials, type Guard, startGuard } from './guard.ts';
import { noUnits, type Units } from './units.ts';

const TableName = localTableNames.accounts;
const all = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;
const indexed = { pk: 'LEDGER#a', sk: 'ENTRY#1', ledger: 'LEDGER#a', at: '2026-11-21T10:00:00.000Z' };

let dynamo: TestDynamo;
let guard: Guard;
let client: DynamoDBDocumentClient;

beforeAll(async () => {
  dynamo = await startTestDynamo();
  const allowed = { tables: { accounts: all }, indexes: { accounts: { ledgerByTime: ['Query'] } } } as const;
  guard = await startGuard(dynamo.endpoint, allowed, 'http://127.0.0.1:1/queue');
  const { endpoint } = guard;
  client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: localRegion, credentials: functionCredentials }),
  );
});

afterAll(async () => {
  client.destroy();
  await guard.close();
  await dynamo.close();
});

/** The units of one piece of work. */
async function unitsOf(work: Promise<unknown>): Promise<Partial<Units>> {
  Object.assign(guard.units, noUnits());
  await work.catch(() => {});
  return Object.fromEntries(Object.entries(guard.units).filter(([, amount]) => amount > 0));
}

describe('the units of a function', () => {
  test('count a write of the table and one of the index for an item that the index holds', async () => {
    expect(await unitsOf(client.send(new PutCommand({ TableName, Item: indexed })))).toEqual({
      writeUnits: 1,
      indexWriteUnits: 1,
    });
  });

  test('count no write of the index for an item that the index does not hold', async () => {
    const Item = { pk: 'ACCOUNT#a', sk: 'BALANCE' };
    expect(await unitsOf(client.send(new PutCommand({ TableName, Item })))).toEqual({ writeUnits: 1 });
  });

  test('double the table in a transaction, and not the index', async () => {
    const Item = { ...indexed, sk: 'ENTRY#2', text: 'x'.repeat(1_500) };
    const TransactItems = [{ Put: { TableName, Item } }];
    expect(await unitsOf(client.send(new TransactWriteCommand({ TransactItems })))).toEqual({
      writeUnits: 4,
      indexWriteUnits: 2,
    });
  });

  test('count two writes of an index in which an item moves', async () => {
    const Item = { ...indexed, at: '2026-11-22T10:00:00.000Z' };
    expect(await unitsOf(client.send(new PutCommand({ TableName, Item })))).toEqual({
      writeUnits: 1,
      indexWriteUnits: 2,
    });
  });

  test('count half a unit for each 4 KB that are read without consistency', async () => {
    const query = new QueryCommand({
      TableName,
      IndexName: 'ledgerByTime',
      KeyConditionExpression: 'ledger = :ledger',
      ExpressionAttributeValues: { ':ledger': indexed.ledger },
    });
    expect(await unitsOf(client.send(query))).toEqual({ readUnits: 0.5 });
  });

  test('count a write whose condition failed', async () => {
    const refused = new DeleteCommand({
      TableName,
      Key: { pk: indexed.pk, sk: indexed.sk },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    expect(await unitsOf(client.send(refused))).toEqual({ writeUnits: 1 });
  });
});
