import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { createAwsClients } from '@errand/platform';

interface Copied {
  /** Items that were missing. */
  copied: number;
  /** Items that were not copied, because the target has items with their keys. */
  kept: number;
}

const atOnce = 25;

/** Copies the items that `to` lacks from `from`, for example from a restored table. Overwrites nothing. */
export async function copyMissingItems(
  dynamodb: DynamoDBDocumentClient,
  { from, to }: { from: string; to: string },
): Promise<Copied> {
  const put = async (item: Record<string, unknown>): Promise<boolean> => {
    try {
      await dynamodb.send(
        new PutCommand({ TableName: to, Item: item, ConditionExpression: 'attribute_not_exists(pk)' }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };
  const total: Copied = { copied: 0, kept: 0 };
  for await (const { Items: items = [] } of paginateScan({ client: dynamodb }, { TableName: from })) {
    for (let at = 0; at < items.length; at += atOnce) {
      const results = await Promise.all(items.slice(at, at + atOnce).map(put));
      const copied = results.filter(Boolean).length;
      total.copied += copied;
      total.kept += results.length - copied;
    }
  }
  return total;
}

if (import.meta.main) {
  const [from, to] = process.argv.slice(2);
  const region = process.env.AWS_REGION;
  if (!from || !to || !region) {
    console.error('usage: AWS_REGION=REGION node scripts/copy-table.ts FROM TO');
    process.exitCode = 2;
  } else {
    const { dynamodb } = createAwsClients({ region, endpoints: {} });
    console.log(await copyMissingItems(dynamodb, { from, to }));
  }
}
