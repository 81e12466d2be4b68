import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateTableCommand, DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { createAwsClients, type Log, readConfig, silentLog } from '@errand/platform';
import { expect, onTestFinished, test } from 'vitest';
import { sendRefused } from '../../test/support/aws-rules/hold-commands.ts';
import { startDynamoServer } from '../../test/support/dynamo-server.ts';
import { askDynamo } from './aws/dynamodb/ask-dynamo.ts';
import { findFreePort } from './aws/dynamodb/find-free-port.ts';
import { startDynamo } from './aws/dynamodb/start-dynamo.ts';
import { greet } from './greet.ts';
import { awsSettings } from './settings.ts';
import { StartError } from './start-error.ts';
import { type LocalService, startLocal } from './start-local.ts';

const withoutBinary = 'darwin-arm64';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-choice-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

interface Start {
  platform?: string;
  dynamodbLocal: string;
  given?: string;
  dataDir?: string;
  log?: Log;
}

async function start(options: Start): Promise<LocalService> {
  const { platform = withoutBinary, dynamodbLocal, given, log = silentLog } = options;
  const dataDir = options.dataDir ?? (await makeFolder());
  const service = await startLocal({
    config: readConfig('local', {
      DATA_DIR: dataDir,
      PORT: '0',
      ...(given && { AWS_ENDPOINT_URL_DYNAMODB: given }),
    }),
    machine: { platform, dynamodbLocal },
    log,
    onExit: () => {},
  });
  onTestFinished(() => service.stop());
  return service;
}

async function refusal(options: Start): Promise<string> {
  const error = await start(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  return (error as Error).message;
}

const tablesLine = (service: LocalService) =>
  greet(service, undefined, 0).find((line) => line.startsWith('Tables:'));

async function serveDynamo(): Promise<string> {
  const server = await startDynamoServer();
  onTestFinished(() => server.close());
  return server.endpoint;
}

const connect = (dynamodb: string) =>
  createAwsClients(awsSettings({ dynamodb, sqs: dynamodb, s3: dynamodb })).dynamodb;
const tablesOf = async (endpoint: string) =>
  (await connect(endpoint).send(new ListTablesCommand({}))).TableNames ?? [];

const nowhere = async () => `http://127.0.0.1:${await findFreePort('127.0.0.1')}`;

test('a platform without an embedded DynamoDB is told the one command that helps', async () => {
  const dynamodbLocal = await nowhere();
  const words = await refusal({ dynamodbLocal });
  expect(words).toContain(`There is no embedded DynamoDB for ${withoutBinary}.`);
  expect(words).toContain('with one beside it: docker compose up.');
  expect(words).toContain(dynamodbLocal);
  expect(words).not.toContain('\n');
});

test.each([
  ['refuses what it is asked', 501, 'Unsupported method'],
  ['says yes to everything', 200, '{}'],
  ['answers with a page', 200, '<html></html>'],
])('a server at DynamoDB’s port that %s is not taken for DynamoDB', async (_, status, body) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const dynamodbLocal = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const words = await refusal({ dynamodbLocal });
  expect(words).toContain('docker compose up');
  expect(words).toContain(`What answers at ${dynamodbLocal} is no DynamoDB`);
});

test('a server that takes requests and never answers is not taken for a DynamoDB', async () => {
  const server = createServer(() => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  expect(await askDynamo(`http://127.0.0.1:${port}`, 50)).toBe('something else');
});

test('a DynamoDB at its usual port serves a platform without an embedded one, and the greeting says so', async () => {
  const dynamodbLocal = await serveDynamo();
  const dataDir = await makeFolder();
  const service = await start({ dynamodbLocal, dataDir });
  expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  expect(await tablesOf(dynamodbLocal)).toContain('Runs');
  expect(await readdir(dataDir)).not.toContain('dynamodb.sqlite');
  expect(tablesLine(service)).toBe(
    `Tables: ${dynamodbLocal} (found there, because there is no embedded DynamoDB for ${withoutBinary})`,
  );
});

test('a DynamoDB at its usual port is left alone where the embedded one works', async () => {
  const dynamodbLocal = await serveDynamo();
  const dataDir = await makeFolder();
  const service = await start({ platform: 'linux-x64', dynamodbLocal, dataDir });
  expect(await tablesOf(dynamodbLocal)).toEqual([]);
  expect(await readdir(dataDir)).toContain('dynamodb.sqlite');
  expect(tablesLine(service)).toBeUndefined();
});

test.each(['linux-x64', withoutBinary])(
  'the DynamoDB that the environment names goes before any other on %s',
  async (platform) => {
    const [given, dynamodbLocal] = [await serveDynamo(), await serveDynamo()];
    const service = await start({ platform, dynamodbLocal, given });
    expect(await tablesOf(given)).toContain('Runs');
    expect(await tablesOf(dynamodbLocal)).toEqual([]);
    expect(tablesLine(service)).toBe(`Tables: ${given} (AWS_ENDPOINT_URL_DYNAMODB)`);
  },
);

test('a table of another program stops the start and stays as it is', async () => {
  const dynamodbLocal = await serveDynamo();
  const other = {
    TableName: 'Accounts',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'email', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'email', AttributeType: 'S' }],
  } as const;
  const dynamodb = connect(dynamodbLocal);
  await dynamodb.send(
    new CreateTableCommand({
      ...other,
      KeySchema: [...other.KeySchema],
      AttributeDefinitions: [...other.AttributeDefinitions],
    }),
  );
  // A read by keys that the table does not have is how this is found out.
  expect(await sendRefused(() => refusal({ dynamodbLocal }))).toContain(
    `could not be made at ${dynamodbLocal}: the table Accounts has other keys`,
  );
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: 'Accounts' }));
  expect(Table?.GlobalSecondaryIndexes).toBeUndefined();
});

test('a DynamoDB that starts after the service is waited for', async () => {
  const port = await findFreePort('127.0.0.1');
  const given = `http://127.0.0.1:${port}`;
  const waiting = Promise.withResolvers<unknown>();
  const log: Log = {
    ...silentLog,
    warn: (message, fields) => message === 'waiting for the DynamoDB' && waiting.resolve(fields),
  };
  const starting = start({ dynamodbLocal: await nowhere(), given, log });
  expect(await waiting.promise).toEqual({ endpoint: given });
  const file = path.join(await makeFolder(), 'late.sqlite');
  const dynamo = await startDynamo({ file, host: '127.0.0.1', findPort: async () => port });
  onTestFinished(() => dynamo.close());
  expect((await fetch(`${(await starting).baseUrl}/healthz`)).status).toBe(200);
});
