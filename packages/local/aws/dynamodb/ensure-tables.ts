import {
  type AttributeDefinition,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  type Projection,
  QueryCommand,
  ResourceInUseException,
  ScanCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { TableDefinition } from '@errand/platform';

type Index = NonNullable<TableDefinition['indexes']>[number];
type Keys = Pick<TableDefinition, 'partitionKey' | 'sortKey'>;

/** An index on a table that has items already is made of all of them within one request. */
const indexMilliseconds = 10 * 60_000;

/**
 * Makes the missing tables, indexes and times to live. Existing ones are not changed, and not described: to describe a
 * table, the embedded DynamoDB counts its items. Throws if a table with other keys has the name of one: another program's
 * tables may be in the same DynamoDB.
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

async function ensureTable(
  dynamodb: DynamoDBClient,
  definition: TableDefinition,
  isAgain = false,
): Promise<void> {
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
    await waitUntilTableExists({ client: dynamodb, maxWaitTime: 60 }, { TableName: definition.name });
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    await requireKeys(dynamodb, definition);
    if (!(await isHalfMade(dynamodb, definition))) return;
    if (isAgain) throw new Error(`database or disk is full: the table ${definition.name} cannot be made`);
    await dynamodb.send(new DeleteTableCommand({ TableName: definition.name }));
    await ensureTable(dynamodb, definition, true);
  }
}

/** Reads an item that is not there: the read is refused if the table has other keys. */
async function requireKeys(dynamodb: DynamoDBClient, definition: TableDefinition): Promise<void> {
  const { name: TableName } = definition;
  try {
    await dynamodb.send(new GetItemCommand({ TableName, Key: noItem(definition) }));
  } catch (error) {
    if (isMissing(error)) return;
    if (!isInvalid(error)) throw error;
    throw new Error(`the table ${TableName} has other keys, so it belongs to another program`);
  }
}

/**
 * Whether the embedded DynamoDB has the table's name without the table, or without an index, because the disk was full when
 * the table was made. Such a table has never had an item.
 */
async function isHalfMade(dynamodb: DynamoDBClient, definition: TableDefinition): Promise<boolean> {
  const { name: TableName, indexes = [] } = definition;
  try {
    await dynamodb.send(new GetItemCommand({ TableName, Key: noItem(definition) }));
    for (const index of indexes) await hasIndex(dynamodb, TableName, index);
    return false;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const first = new ScanCommand({ TableName, Limit: 1 });
  return dynamodb.send(first).then(
    ({ Items = [] }) => Items.length === 0,
    (error: unknown) => {
      if (!isMissing(error)) throw error;
      return true;
    },
  );
}

function noItem({ partitionKey, sortKey }: Keys): Record<string, { S: string }> {
  const names = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
  return Object.fromEntries(names.map((name) => [name, { S: 'NONE' }]));
}

const isMissing = (error: unknown): boolean => error instanceof Error && /no such table/.test(error.message);

const isInvalid = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException && error.name === 'ValidationException';

/** Adds the indexes that an older data folder lacks, one at a time, as DynamoDB demands. */
async function ensureIndexes(dynamodb: DynamoDBClient, definition: TableDefinition): Promise<void> {
  for (const index of definition.indexes ?? []) {
    if (await hasIndex(dynamodb, definition.name, index)) continue;
    try {
      await dynamodb.send(
        new UpdateTableCommand({
          TableName: definition.name,
          AttributeDefinitions: attributes([definition, index]),
          GlobalSecondaryIndexUpdates: [{ Create: indexSchema(index) }],
        }),
        { requestTimeout: indexMilliseconds },
      );
    } catch (error) {
      if (!(await hasIndex(dynamodb, definition.name, index))) throw error;
    }
  }
}

/** Looks for no item in the index: the query is refused if there is no such index. */
async function hasIndex(
  dynamodb: DynamoDBClient,
  TableName: string,
  { name: IndexName, partitionKey }: Index,
): Promise<boolean> {
  const query = {
    TableName,
    IndexName,
    KeyConditionExpression: '#key = :none',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: { ':none': { S: 'NONE' } },
    Limit: 1,
  };
  return dynamodb.send(new QueryCommand(query)).then(
    () => true,
    (error: unknown) => {
      if (isInvalid(error)) return false;
      throw error;
    },
  );
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
