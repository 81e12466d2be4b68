import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  ConditionsFailed,
  deleteItem,
  inParallel,
  scanInBackground,
  type TableDefinition,
} from '@errand/platform';

const deletesInFlight = 8;

type Pace = Parameters<typeof scanInBackground>[2];

/**
 * Deletes the items whose time to live is over, in the background. AWS does this by itself, but the embedded DynamoDB does
 * not. Returns how many were deleted.
 */
export async function sweepExpired(
  dynamodb: DynamoDBDocumentClient,
  definitions: readonly TableDefinition[],
  nowSeconds: number,
  pace: Pace,
): Promise<number> {
  let deleted = 0;
  for (const definition of definitions) {
    const { timeToLiveAttribute } = definition;
    if (timeToLiveAttribute === undefined) continue;
    deleted += await sweepTable(dynamodb, { ...definition, timeToLiveAttribute }, nowSeconds, pace);
  }
  return deleted;
}

type ExpiringTable = TableDefinition & { timeToLiveAttribute: string };

async function sweepTable(
  dynamodb: DynamoDBDocumentClient,
  { name: TableName, partitionKey, sortKey, timeToLiveAttribute }: ExpiringTable,
  nowSeconds: number,
  pace: Pace,
): Promise<number> {
  const keyNames = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
  const isOver = {
    TableName,
    ExpressionAttributeValues: { ':now': nowSeconds },
  };
  const pages = scanInBackground(
    { dynamodb },
    {
      ...isOver,
      FilterExpression: '#expiry < :now',
      ProjectionExpression: keyNames.map((_, i) => `#key${i}`).join(', '),
      ExpressionAttributeNames: {
        '#expiry': timeToLiveAttribute,
        ...Object.fromEntries(keyNames.map((name, i) => [`#key${i}`, name])),
      },
    },
    pace,
  );
  let deleted = 0;
  for await (const keys of pages)
    await inParallel(keys, deletesInFlight, async (Key) => {
      // An item may have got more time since it was read, or may be gone.
      const still = {
        ...isOver,
        Key,
        condition: 'still-over',
        ConditionExpression: '#expiry < :now',
        ExpressionAttributeNames: { '#expiry': timeToLiveAttribute },
      };
      if (await didDelete(dynamodb, still)) deleted++;
    });
  return deleted;
}

async function didDelete(
  dynamodb: DynamoDBDocumentClient,
  still: Parameters<typeof deleteItem>[1],
): Promise<boolean> {
  try {
    await deleteItem({ dynamodb }, still);
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}
