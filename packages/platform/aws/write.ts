import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from './attributes.ts';
import { ConditionsFailed, returnLoser } from './conditions.ts';

interface WriteDeps {
  dynamodb: DynamoDBDocumentClient;
}

/** A write. `condition` names its ConditionExpression in `ConditionsFailed`. */
type Named<Input> =
  | (Input & { condition: string; ConditionExpression: string })
  | (Input & { condition?: never; ConditionExpression?: never });

/** Throws `ConditionsFailed` with the item that stands under this key. */
export async function putItem(deps: WriteDeps, write: Named<PutCommandInput>): Promise<void> {
  const { condition, ...input } = write;
  await named(condition, deps.dynamodb.send(new PutCommand({ ...loserOf(condition), ...input })));
}

/** Returns the attributes that `ReturnValues` asks for. Throws `ConditionsFailed` with the item as it is. */
export async function updateItem(
  deps: WriteDeps,
  write: Named<UpdateCommandInput>,
): Promise<Item | undefined> {
  const { condition, ...input } = write;
  const sending = deps.dynamodb.send(new UpdateCommand({ ...loserOf(condition), ...input }));
  return (await named(condition, sending)).Attributes;
}

/** Returns what `ReturnValues` asks for. Throws `ConditionsFailed`, which brings the item as it is. */
export async function deleteItem(
  deps: WriteDeps,
  write: Named<DeleteCommandInput>,
): Promise<Item | undefined> {
  const { condition, ...input } = write;
  const sending = deps.dynamodb.send(new DeleteCommand({ ...loserOf(condition), ...input }));
  return (await named(condition, sending)).Attributes;
}

const loserOf = (condition: string | undefined) => (condition === undefined ? {} : returnLoser);

async function named<Output>(condition: string | undefined, sending: Promise<Output>): Promise<Output> {
  try {
    return await sending;
  } catch (error) {
    if (condition === undefined || !(error instanceof ConditionalCheckFailedException)) throw error;
    throw new ConditionsFailed([{ name: condition, item: error.Item }]);
  }
}
