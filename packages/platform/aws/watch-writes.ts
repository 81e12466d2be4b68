import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isAwsTrouble } from './trouble.ts';

const writes = new Set([
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'BatchWriteItemCommand',
  'TransactWriteItemsCommand',
]);

/** By what the middleware of a client is kept in, which a document client has from the client that it was made of. */
const failing = new WeakMap<object, boolean>();

/** Takes note of how the client's writes end, for `writesFail`. */
export function watchWrites(client: DynamoDBClient): void {
  const { middlewareStack } = client;
  middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!writes.has(String(commandName))) return next(args);
        try {
          const answer = await next(args);
          failing.set(middlewareStack, false);
          return answer;
        } catch (error) {
          if (isFailure(error)) failing.set(middlewareStack, true);
          throw error;
        }
      },
    { step: 'initialize', name: 'watchWrites', priority: 'high' },
  );
}

/** Whether the last write of this process failed, and none has succeeded since. */
export const writesFail = ({ dynamodb }: { dynamodb: DynamoDBDocumentClient }): boolean =>
  failing.get(dynamodb.middlewareStack) ?? false;

/**
 * Whether the store has failed. What it refuses (a condition that does not hold, a conflict, more than it takes at a time)
 * is an answer, and tells nothing of whether it can write.
 */
const isFailure = (error: unknown): boolean =>
  isAwsTrouble(error) && (error as { $fault?: unknown }).$fault !== 'client';
