import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  type Projection,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { TableDefinition } from '@errand/platform';

type Index = NonNullable<TableDefinition['indexes']>[number];
type Keys = Pick<TableDefinition, 'partitionKey' | 'sortKey'>;

/**
 * Makes the missing tables, indexes and times to live. Existing ones are not changed. Throws if a table with other keys
 * has the name of one: another program's tables may be in the same DynamoDB.
 */
export async function ensureTables(
  dynamodb: DynamoDBClient,
  definitions: readonly TableDefinition[],
): Promise<void> {
  for (const definition of definitions) {
    await ensureTable(dynamodb, definition);
    await ensureIndexes(dynamodb, definition);
    await ensureTimeToLive(dynamodb, definition);
  }
}

async function ensureTable(dynamodb: DynamoDBClient, definition: TableDefinition): Promise<void> {
  const indexes = definition.indexes ?? [];
  try {
    await dynamodb.send(
      new CreateTableCommand({
        TableName: definition.name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keySchema(definition),
        AttributeDefinitions: attributes([definition, ...indexes]),
        ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes.map(indexSchema) }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client: dynamodb, maxWaitTime: 60 }, { TableName: definition.name });
}

/** Adds the indexes that an older data folder lacks, one at a time, as DynamoDB demands. */
async function ensureIndexes(dynamodb: DynamoDBClient, definition: TableDefinition): Promise<void> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: definition.name }));
  if (!hasKeys(Table?.KeySchema, definition))
    throw new Error(`the table ${definition.name} has other keys, so it belongs to another program`);
  const present = new Set(Table?.GlobalSecondaryIndexes?.map((index) => index.IndexName));
  for (const index of (definition.indexes ?? []).filter(({ name }) => !present.has(name))) {
    try {
      await dynamodb.send(
        new UpdateTableCommand({
          TableName: definition.name,
          AttributeDefinitions: attributes([definition, index]),
          GlobalSecondaryIndexUpdates: [{ Create: indexSchema(index) }],
        }),
      );
    } catch (error) {
      if (!(await hasIndex(dynamodb, definition.name, index.name))) throw error;
    }
  }
}

async function hasIndex(dynamodb: DynamoDBClient, tableName: string, indexName: string): Promise<boolean> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: tableName }));
  return Table?.GlobalSecondaryIndexes?.some((index) => index.IndexName === indexName) ?? false;
}

async function ensureTimeToLive(dynamodb: DynamoDBClient, definition: TableDefinition): Promise<void> {
  const { name: TableName, timeToLiveAttribute: AttributeName } = definition;
  if (AttributeName === undefined || (await hasTimeToLive(dynamodb, TableName))) return;
  try {
    await dynamodb.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName, Enabled: true } }),
    );
  } catch (error) {
    if (!(await hasTimeToLive(dynamodb, TableName))) throw error;
  }
}

async function hasTimeToLive(dynamodb: DynamoDBClient, TableName: string): Promise<boolean> {
  const { TimeToLiveDescription } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
  const status = TimeToLiveDescription?.TimeToLiveStatus;
  return status === 'ENABLED' || status === 'ENABLING';
}

const hasKeys = (found: readonly KeySchemaElement[] = [], definition: TableDefinition): boolean =>
  isDeepStrictEqual(
    found.map(({ AttributeName, KeyType }) => ({ AttributeName, KeyType })),
    keySchema(definition),
  );

function keySchema({ partitionKey, sortKey }: Keys): KeySchemaElement[] {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' } as const]),
  ];
}

function attributes(keys: readonly Keys[]): AttributeDefinition[] {
  const names = new Set(keys.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey ?? partitionKey]));
  return [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
}

function indexSchema(index: Index): GlobalSecondaryIndex {
  return { IndexName: index.name, KeySchema: keySchema(index), Projection: projection(index) };
}

function projection({ projection: projected }: Index): Projection {
  if (typeof projected === 'string') return { ProjectionType: projected };
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: projected };
}
