import { DescribeTableCommand, ListTagsOfResourceCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { servingTag } from '@errand/platform';

/**
 * Throws if a stage uses the table, in place of its own or as its own: calls that were made since would lose what they hold, and
 * operators what they said. AWS restores to a point in time without tags.
 */
export async function refuseStagesTable(dynamodb: DynamoDBDocumentClient, TableName: string): Promise<void> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  const { Tags = [] } = await dynamodb.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
  const tag = Tags.find(({ Key }) => Key === servingTag || Key === 'sst:stage');
  if (tag)
    throw new Error(
      `${TableName} has the tag ${tag.Key}, so it is a table of the stage ${tag.Value}. Books are made in a restored table before a stage uses it.`,
    );
}
