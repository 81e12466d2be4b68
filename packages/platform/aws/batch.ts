import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  BatchWriteCommand,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { backOff, type RetryingDeps } from './backoff.ts';

type Item = Record<string, unknown>;

const maxAttempts = 8;
const largestWrite = 25;
const writesAtOnce = 4;

/**
 * The items of these keys, at most 100, read consistently, in no order. DynamoDB leaves keys unread when it is
 * throttled, and the SDK does not ask for those again: here it is done, and an error if some stay unread.
 */
export async function batchGet(deps: RetryingDeps, table: string, keys: readonly Item[]): Promise<Item[]> {
  if (keys.length === 0) return [];
  const items: Item[] = [];
  let rest: BatchGetCommandOutput['UnprocessedKeys'] = { [table]: { Keys: [...keys], ConsistentRead: true } };
  for (let attempt = 1; ; attempt++) {
    const read: BatchGetCommandOutput = await deps.dynamodb.send(new BatchGetCommand({ RequestItems: rest }));
    items.push(...(read.Responses?.[table] ?? []));
    rest = read.UnprocessedKeys;
    if (!rest?.[table]?.Keys?.length) return items;
    if (attempt === maxAttempts) throw new Error('DynamoDB left keys unread');
    await backOff(deps, attempt);
  }
}

/** Deletes the items of these keys, any number, 25 a request. As for `batchGet`, what is left is asked for again. */
export async function batchDelete(deps: RetryingDeps, table: string, keys: readonly Item[]): Promise<void> {
  const batches: (readonly Item[])[] = [];
  for (let at = 0; at < keys.length; at += largestWrite) batches.push(keys.slice(at, at + largestWrite));
  for (let at = 0; at < batches.length; at += writesAtOnce)
    await Promise.all(batches.slice(at, at + writesAtOnce).map((batch) => deleteBatch(deps, table, batch)));
}

async function deleteBatch(deps: RetryingDeps, table: string, keys: readonly Item[]): Promise<void> {
  let rest: BatchWriteCommandOutput['UnprocessedItems'] = {
    [table]: keys.map((Key) => ({ DeleteRequest: { Key } })),
  };
  for (let attempt = 1; ; attempt++) {
    const written: BatchWriteCommandOutput = await deps.dynamodb.send(
      new BatchWriteCommand({ RequestItems: rest }),
    );
    rest = written.UnprocessedItems;
    if (!rest?.[table]?.length) return;
    if (attempt === maxAttempts) throw new Error('DynamoDB left items undeleted');
    await backOff(deps, attempt);
  }
}
