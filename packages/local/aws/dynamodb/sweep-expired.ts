import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { TableDefinition } from '@errand/platform';

const deletesInFlight = 8;

/**
 * Deletes the items whose time to live is over. AWS does this by itself, but the embedded DynamoDB does not. Returns
 * how many were deleted.
 */
export async function sweepExpired(
  dynamodb: DynamoDBClient,
  definitions: readonly TableDefinition[],
  nowSeconds: number,
): Promise<number> {
  let deleted = 0;
  for (const definition of definitions) {
    const { timeToLiveAttribute } = definition;
    if (timeToLiveAttribute === undefined) continue;
    deleted += await sweepTable(dynamodb, { ...definition, timeToLiveAttribute }, nowSeconds);
  }
  return deleted;
}

type ExpiringTable = TableDefinition & { timeToLiveAttribute: string };
type Key = Record<string, AttributeValue>;

async function sweepTable(
  dynamodb: DynamoDBClient,
  table: ExpiringTable,
  nowSeconds: number,
): Promise<number> {
  const keyNames = [table.partitionKey, ...(table.sortKey === undefined ? [] : [table.sortKey])];
  const isOver = {
    TableName: table.name,
    ExpressionAttributeValues: { ':now': { N: String(nowSeconds) } },
  };
  let deleted = 0;
  let start: Key | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        ...isOver,
        FilterExpression: '#expiry < :now',
        ProjectionExpression: keyNames.map((_, i) => `#key${i}`).join(', '),
        ExpressionAttributeNames: {
          '#expiry': table.timeToLiveAttribute,
          ...Object.fromEntries(keyNames.map((name, i) => [`#key${i}`, name])),
        },
        ExclusiveStartKey: start,
      }),
    );
    const keys = page.Items ?? [];
    for (let i = 0; i < keys.length; i += deletesInFlight) {
      const results = await Promise.all(
        keys.slice(i, i + deletesInFlight).map((Key) =>
          deleteIfStillOver(dynamodb, {
            ...isOver,
            Key,
            ConditionExpression: '#expiry < :now',
            ExpressionAttributeNames: { '#expiry': table.timeToLiveAttribute },
          }),
        ),
      );
      deleted += results.filter(Boolean).length;
    }
    start = page.LastEvaluatedKey;
  } while (start);
  return deleted;
}

/** Returns false if the item was deleted or got more time since it was read. */
async function deleteIfStillOver(
  dynamodb: DynamoDBClient,
  input: ConstructorParameters<typeof DeleteItemCommand>[0],
): Promise<boolean> {
  try {
    await dynamodb.send(new DeleteItemCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
