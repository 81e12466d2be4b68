import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localTableDefinitions, type TableDefinition } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendRefused } from '../../../../test/support/aws-rules/hold-commands.ts';
import { ensureTables } from './ensure-tables.ts';
import { type Dynamo, startDynamo } from './start-dynamo.ts';
import { sweepExpired } from './sweep-expired.ts';

let folder: string;
let dynamo: Dynamo;
let client: DynamoDBClient;
let sent: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errand-tables-'));
  dynamo = await startDynamo({ file: join(folder, 'db.sqlite'), host: '127.0.0.1' });
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  client = new DynamoDBClient({ endpoint: dynamo.endpoint, region: 'eu-west-1', credentials });
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        sent.push(String(commandName));
        return next(args);
      },
    { step: 'initialize', name: 'note' },
  );
});
beforeEach(() => {
  sent = [];
});
afterAll(async () => {
  client.destroy();
  await dynamo.close();
  await rm(folder, { recursive: true, force: true });
});

test('the service’s tables are made once, with indexes and time to live, however many ask at once', async () => {
  const definitions = localTableDefinitions;
  await Promise.all([1, 2, 3].map(() => ensureTables(client, definitions)));
  await ensureTables(client, definitions);
  for (const { name, timeToLiveAttribute, indexes = [] } of definitions) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName) ?? []).toEqual(
      indexes.map((index) => index.name),
    );
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
    expect(TimeToLiveDescription).toMatchObject({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: timeToLiveAttribute,
    });
  }
});

test('tables that are there are not described, because their items would be counted', async () => {
  await ensureTables(client, localTableDefinitions);
  sent = [];
  await ensureTables(client, localTableDefinitions);
  expect(sent).toContain('CreateTableCommand');
  expect(sent.filter((command) => /Describe(?!TimeToLive)|Update/.test(command))).toEqual([]);
});

test('an index that a later version adds is made on the existing table, with its items', async () => {
  const old: TableDefinition = { name: 'Growing', partitionKey: 'pk', sortKey: 'sk' };
  await ensureTables(client, [old]);
  const Item = {
    pk: { S: 'a' },
    sk: { S: '1' },
    owner: { S: 'me' },
    title: { S: 'kept' },
    secret: { S: 'left out' },
  };
  await client.send(new PutItemCommand({ TableName: 'Growing', Item }));
  const grown: TableDefinition = {
    ...old,
    indexes: [
      { name: 'byOwner', partitionKey: 'owner', sortKey: 'sk', projection: ['title'] },
      { name: 'keysByOwner', partitionKey: 'owner', projection: 'KEYS_ONLY' },
    ],
  };
  await sendRefused(() => Promise.all([ensureTables(client, [grown]), ensureTables(client, [grown])]));
  const query = (IndexName: string) =>
    client.send(
      new QueryCommand({
        TableName: 'Growing',
        IndexName,
        KeyConditionExpression: '#owner = :me',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':me': { S: 'me' } },
      }),
    );
  const { secret: _, ...projected } = Item;
  expect((await query('byOwner')).Items).toEqual([projected]);
  const { title: __, ...keys } = projected;
  expect((await query('keysByOwner')).Items).toEqual([keys]);
});

const pace = { signal: new AbortController().signal, onError: () => expect.unreachable() };

test('a sweep deletes the expired items of every page, and nothing else', async () => {
  const table: TableDefinition = {
    name: 'Passing',
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLiveAttribute: 'end',
  };
  await ensureTables(client, [table]);
  // The items take two megabytes, because a page of a scan ends at one.
  const filler = { S: 'x'.repeat(50_000) };
  const put = (sk: string, more: object) =>
    client.send(
      new PutItemCommand({ TableName: 'Passing', Item: { pk: { S: 'p' }, sk: { S: sk }, filler, ...more } }),
    );
  await Promise.all(Array.from({ length: 40 }, (_, i) => put(`over ${i}`, { end: { N: String(900 + i) } })));
  await Promise.all([
    put('still', { end: { N: '1000' } }),
    put('for ever', {}),
    sendRefused(() => put('not a time', { end: { S: '1' } })),
  ]);
  const withoutTimeToLive: TableDefinition = { name: 'Growing', partitionKey: 'pk' };
  const dynamodb = DynamoDBDocumentClient.from(client);
  expect(await sweepExpired(dynamodb, [table, withoutTimeToLive], 1000, pace)).toBe(40);
  const { Items } = await client.send(new ScanCommand({ TableName: 'Passing' }));
  expect(Items?.map(({ sk }) => sk?.S).sort()).toEqual(['for ever', 'not a time', 'still']);
  expect(await sweepExpired(dynamodb, [table], 1000, pace)).toBe(0);
});
