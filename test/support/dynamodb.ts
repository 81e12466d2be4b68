import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  localCredentials,
  localRegion,
  localTableNames,
  type TableDefinition,
  type TableNames,
  tableDefinitions,
} from '@errand/platform';

export interface TestDynamo {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  endpoint: string;
  pid: number;
  /** Commands sent through `dynamodb` so far. */
  requests(): number;
  close(): Promise<void>;
}

/** An embedded DynamoDB in memory, on a free port, with every table of the service. */
export async function startTestDynamo(): Promise<TestDynamo> {
  const { child, port } = await startServer();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ endpoint, region: localRegion, credentials: localCredentials });
  for (const definition of Object.values(tableDefinitions)) await createTable(client, definition);
  let sent = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      sent++;
      return next(args);
    },
    { step: 'initialize', name: 'countCommands' },
  );
  return {
    dynamodb: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    tables: localTableNames,
    endpoint,
    pid: child.pid as number,
    requests: () => sent,
    async close() {
      client.destroy();
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** The server does not report its port, so it is given a free one. Another process may take that port first: then again. */
async function startServer(): Promise<{ child: ChildProcess; port: number }> {
  const require = createRequire(import.meta.url);
  const binary = require.resolve('@dynoxide/linux-x64/dynoxide');
  for (let attempt = 0; attempt < 5; attempt++) {
    const port = await freePort();
    const child = spawn(binary, ['--port', String(port)], { stdio: 'ignore' });
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    if (await answers(child, port)) return { child, port };
    child.kill('SIGKILL');
  }
  throw new Error('the embedded DynamoDB did not start');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: localRegion,
    credentials: localCredentials,
    maxAttempts: 1,
  });
  for (let i = 0; i < 500 && child.exitCode === null; i++) {
    try {
      await client.send(new ListTablesCommand({}));
      return child.exitCode === null;
    } catch {
      await sleep(10);
    }
  }
  return false;
}

async function createTable(client: DynamoDBClient, definition: TableDefinition): Promise<void> {
  const schema = ({ partitionKey, sortKey }: { partitionKey: string; sortKey?: string }) => [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    ...(sortKey ? [{ AttributeName: sortKey, KeyType: 'RANGE' as const }] : []),
  ];
  const indexes = definition.indexes ?? [];
  const names = [definition, ...indexes].flatMap(schema).map(({ AttributeName }) => AttributeName);
  await client.send(
    new CreateTableCommand({
      TableName: definition.name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: schema(definition),
      AttributeDefinitions: [...new Set(names)].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      ...(indexes.length > 0 && {
        GlobalSecondaryIndexes: indexes.map((index) => ({
          IndexName: index.name,
          KeySchema: schema(index),
          Projection: Array.isArray(index.projection)
            ? { ProjectionType: 'INCLUDE', NonKeyAttributes: index.projection }
            : { ProjectionType: index.projection },
        })),
      }),
    }),
  );
  if (!definition.timeToLiveAttribute) return;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: definition.name,
      TimeToLiveSpecification: { AttributeName: definition.timeToLiveAttribute, Enabled: true },
    }),
  );
}
