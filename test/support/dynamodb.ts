import { CreateTableCommand, DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  localCredentials,
  localRegion,
  localTableDefinitions,
  localTableNames,
  type TableDefinition,
  type TableNames,
} from '@errand/platform';
import { createDocuments } from '@errand/platform/testing';
import { startDynamoServer } from './dynamo-server.ts';

export interface TestDynamo {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  endpoint: string;
  pid: number;
  /** Commands sent through `dynamodb` so far. */
  requests(): number;
  /** Makes a further table. */
  make(definition: TableDefinition): Promise<void>;
  close(): Promise<void>;
}

/** An embedded DynamoDB in memory, on a free port, with every table of the service. */
export async function startTestDynamo(): Promise<TestDynamo> {
  const { endpoint, pid, close } = await startDynamoServer();
  const client = new DynamoDBClient({ endpoint, region: localRegion, credentials: localCredentials });
  const make = (definition: TableDefinition) => createTable(client, definition);
  for (const definition of localTableDefinitions) await make(definition);
  let sent = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      sent++;
      return next(args);
    },
    { step: 'initialize', name: 'countCommands' },
  );
  return {
    dynamodb: createDocuments(client),
    tables: localTableNames,
    endpoint,
    pid,
    requests: () => sent,
    make,
    async close() {
      client.destroy();
      await close();
    },
  };
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
