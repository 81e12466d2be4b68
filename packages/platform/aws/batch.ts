import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from './attributes.ts';
import { backOff, type Wait } from './backoff.ts';

interface BatchDeps {
  dynamodb: DynamoDBDocumentClient;
  /** Waits between attempts. Tests with a fake clock replace it. */
  wait?: Wait;
}

const maxAttempts = 8;
const largestWrite = 25;
const writesAtOnce = 4;

interface BatchRead {
  /** False for an eventually consistent read, which costs half as much and may miss the latest writes. */
  consistent?: boolean;
  /** The attributes to read, pk and sk among them if they are wanted. All by default. */
  attributes?: readonly string[];
}

/**
 * Reads the items of at most 100 keys, strongly consistent by default, in no order. A throttled DynamoDB leaves keys
 * unread and the SDK does not ask again, so this does. Throws if some stay unread after 8 attempts.
 */
export async function batchGet<T = Item>(
  deps: BatchDeps,
  table: string,
  keys: readonly Item[],
  { consistent = true, attributes }: BatchRead = {},
): Promise<T[]> {
  if (keys.length === 0) return [];
  const items: T[] = [];
  let rest: BatchGetCommandOutput['UnprocessedKeys'] = {
    [table]: { Keys: [...keys], ConsistentRead: consistent, ...projection(attributes) },
  };
  for (let attempt = 1; ; attempt++) {
    const read: BatchGetCommandOutput = await deps.dynamodb.send(new BatchGetCommand({ RequestItems: rest }));
    items.push(...((read.Responses?.[table] ?? []) as T[]));
    rest = read.UnprocessedKeys;
    if (!rest?.[table]?.Keys?.length) return items;
    if (attempt === maxAttempts) throw throttled('DynamoDB left keys unread');
    await backOff(deps, attempt);
  }
}

/** Some attributes have names that expressions may not say. */
function projection(attributes: readonly string[] | undefined) {
  if (!attributes) return {};
  const names = Object.fromEntries(attributes.map((attribute, i) => [`#${i}`, attribute]));
  return { ProjectionExpression: Object.keys(names).join(), ExpressionAttributeNames: names };
}

/** An error with the name that AWS gives its cause. */
const throttled = (message: string): Error =>
  Object.assign(new Error(message), { name: 'ProvisionedThroughputExceededException' });

/** Deletes the items of any number of keys, 25 a request. Keys that DynamoDB leaves are sent again. */
export const batchDelete = (deps: BatchDeps, table: string, keys: readonly Item[]): Promise<void> =>
  batchWrite(
    deps,
    table,
    keys.map((Key) => ({ DeleteRequest: { Key } })),
  );

/** Writes any number of items in place of those with their keys, 25 a request. No key may come twice. */
export const batchPut = (deps: BatchDeps, table: string, items: readonly Item[]): Promise<void> =>
  batchWrite(
    deps,
    table,
    items.map((one) => ({ PutRequest: { Item: one } })),
  );

type Writes = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

async function batchWrite(deps: BatchDeps, table: string, writes: Writes): Promise<void> {
  const batches: Writes[] = [];
  for (let at = 0; at < writes.length; at += largestWrite) batches.push(writes.slice(at, at + largestWrite));
  for (let at = 0; at < batches.length; at += writesAtOnce)
    await Promise.all(batches.slice(at, at + writesAtOnce).map((batch) => writeBatch(deps, table, batch)));
}

async function writeBatch(deps: BatchDeps, table: string, batch: Writes): Promise<void> {
  let rest: BatchWriteCommandOutput['UnprocessedItems'] = { [table]: batch };
  for (let attempt = 1; ; attempt++) {
    const written: BatchWriteCommandOutput = await deps.dynamodb.send(
      new BatchWriteCommand({ RequestItems: rest }),
    );
    rest = written.UnprocessedItems;
    if (!rest?.[table]?.length) return;
    if (attempt === maxAttempts) throw throttled('DynamoDB left items unwritten');
    await backOff(deps, attempt);
  }
}
