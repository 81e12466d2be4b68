import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { attributes, holdAttribute, itemKeys, writeHold } from '@errand/money/testing';
import { newId, toSeconds } from '@errand/platform';
import { startTestDynamo } from '../../support/dynamodb.ts';
import { percentiles, printTable } from '../figures.ts';
import { measureCpu } from '../processes.ts';

const requests = 2_000;
const warmUp = 200;

/** Calls in work: reservations that the purse holds while it is read or written. */
const holdsOfPurse = { none: 0, some: 16, many: 100 };

/** Prints what the store's process takes for each kind of request that a completion makes, one request at a time. */
export async function printStoreRequests(): Promise<void> {
  const dynamo = await startTestDynamo();
  try {
    const table = dynamo.tables.accounts;
    const purses = await putPurses(dynamo.dynamodb, table);
    const rows: (string | number)[][] = [];
    for (const [name, send] of kindsOf(dynamo.dynamodb, table, purses)) {
      for (let i = 0; i < warmUp; i++) await send();
      const cpu = measureCpu([dynamo.pid]);
      const durations: number[] = [];
      for (let i = 0; i < requests; i++) {
        const from = performance.now();
        await send();
        durations.push(performance.now() - from);
      }
      const { p50, p99 } = percentiles(durations);
      rows.push([name, (cpu() / requests).toFixed(3), `${p50.toFixed(2)} / ${p99.toFixed(2)}`]);
    }
    printTable(['a request to the store', 'CPU of its process, ms', 'answer after, p50 / p99 ms'], rows);
  } finally {
    await dynamo.close();
  }
}

type Keys = Record<keyof typeof holdsOfPurse, ReturnType<typeof itemKeys.balance>>;

async function putPurses(dynamodb: DynamoDBDocumentClient, TableName: string): Promise<Keys> {
  const nowSeconds = toSeconds(Date.now());
  const keys = Object.entries(holdsOfPurse).map(async ([name, holds]) => {
    const key = itemKeys.balance(newId('account'));
    const held = Array.from({ length: holds }, () => [
      holdAttribute(newId('hold')),
      writeHold({ untilSeconds: nowSeconds, nanoEuro: 8_212_000 }),
    ]);
    const Item = {
      ...key,
      [attributes.balance]: 123_456_789_000,
      [attributes.available]: 123_456_789_000,
      ...Object.fromEntries(held),
    };
    await dynamodb.send(new PutCommand({ TableName, Item }));
    return [name, key];
  });
  return Object.fromEntries(await Promise.all(keys)) as Keys;
}

/** Each kind takes from the purse what letting a request in takes, or writes what settling writes. */
function kindsOf(
  dynamodb: DynamoDBDocumentClient,
  TableName: string,
  purses: Keys,
): [string, () => Promise<unknown>][] {
  const change = (Key: Keys['none']) => ({
    TableName,
    Key,
    UpdateExpression: 'ADD #available :taken',
    ConditionExpression: '#available >= :least',
    ExpressionAttributeNames: { '#available': attributes.available },
    ExpressionAttributeValues: { ':taken': -1, ':least': 1 },
  });
  const update = (Key: Keys['none'], ReturnValues: 'NONE' | 'ALL_NEW') => () =>
    dynamodb.send(new UpdateCommand({ ...change(Key), ReturnValues }));
  const entry = (ledger?: string) => ({
    Put: {
      TableName,
      Item: {
        ...itemKeys.ledgerEntry(newId('entry'), newId('entry')),
        ...(ledger !== undefined && { ledger, at: new Date().toISOString() }),
        model: 'bench',
        inputTokens: 120,
        outputTokens: 200,
        amountNanoEuro: -8_212_000,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });
  const transact = (of: () => object[]) => () =>
    dynamodb.send(new TransactWriteCommand({ TransactItems: of() }));
  const settle = (entries: number) =>
    transact(() => [
      { Update: change(purses.none) },
      ...Array.from({ length: entries }, () => entry('LEDGER#bench')),
    ]);
  const missing = itemKeys.balance(newId('account'));
  return [
    ['its HTTP alone: a batch that it refuses', () => refused(dynamodb)],
    ['read of an item that is missing', () => dynamodb.send(new GetCommand({ TableName, Key: missing }))],
    ['read of a purse', () => dynamodb.send(new GetCommand({ TableName, Key: purses.none }))],
    ['update of a purse, returns nothing', update(purses.none, 'NONE')],
    ['the same, `ALL_NEW`: let in', update(purses.none, 'ALL_NEW')],
    ['the same, 16 calls in work', update(purses.some, 'ALL_NEW')],
    ['the same, 100 calls in work', update(purses.many, 'ALL_NEW')],
    ['100 calls in work, returns nothing', update(purses.many, 'NONE')],
    ['transaction of one update', transact(() => [{ Update: change(purses.none) }])],
    ['one more entry that is in no index', transact(() => [{ Update: change(purses.none) }, entry()])],
    ['the entry is in the index by time: settle', settle(1)],
    ['settle 16 at once', settle(16)],
  ];
}

async function refused(dynamodb: DynamoDBDocumentClient): Promise<void> {
  try {
    await dynamodb.send(new BatchGetCommand({ RequestItems: {} }));
  } catch {
    // The refusal is the answer.
  }
}
