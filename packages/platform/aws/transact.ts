import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ConditionsFailed, returnLoser } from './conditions.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Conditional = { ConditionExpression: string };
type Unconditional = { ConditionExpression?: never };

type Put = NonNullable<TransactItem['Put']>;
type Update = NonNullable<TransactItem['Update']>;
type Delete = NonNullable<TransactItem['Delete']>;
type ConditionCheck = NonNullable<TransactItem['ConditionCheck']>;

/** One write of a transaction. `condition` names its ConditionExpression in `ConditionsFailed`. */
export type NamedWrite =
  | { condition: string; Put: Put & Conditional }
  | { condition: string; Update: Update & Conditional }
  | { condition: string; Delete: Delete & Conditional }
  | { condition: string; ConditionCheck: ConditionCheck }
  | { condition?: never; Put: Put & Unconditional }
  | { condition?: never; Update: Update & Unconditional }
  | { condition?: never; Delete: Delete & Unconditional };

/**
 * Writes all or nothing. Throws `ConditionsFailed` with the names of the conditions that did not hold and the items
 * that failed them.
 */
export async function transact(
  { dynamodb }: { dynamodb: DynamoDBDocumentClient },
  writes: readonly NamedWrite[],
): Promise<void> {
  try {
    await dynamodb.send(new TransactWriteCommand({ TransactItems: writes.map(toItem) }));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const failed = (error.CancellationReasons ?? []).flatMap(({ Code, Item: item }, i) => {
      const name = writes[i]?.condition;
      return Code === 'ConditionalCheckFailed' && name !== undefined ? [{ name, item }] : [];
    });
    throw failed.length > 0 ? new ConditionsFailed(failed) : error;
  }
}

function toItem({ condition, ...write }: NamedWrite): TransactItem {
  if (condition === undefined) return write;
  return Object.fromEntries(
    Object.entries(write).map(([kind, input]) => [kind, { ...input, ...returnLoser }]),
  );
}
