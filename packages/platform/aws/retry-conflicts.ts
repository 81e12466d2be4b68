import type { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { delay } from '../clock.ts';
import { backOff, type Wait } from './backoff.ts';

const maxAttempts = 12;

/**
 * Makes the client send a write again that collided with a transaction: up to 12 attempts, with random waits between
 * them. AWS refuses a plain write to an item that a running transaction writes, and cancels a transaction that meets
 * another one or is throttled. The SDK (client-dynamodb 3.1162) retries neither.
 */
export function retryConflicts(client: DynamoDBClient, { wait = delay }: { wait?: Wait } = {}): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await next(args);
        } catch (error) {
          if (attempt === maxAttempts || !isConflict(error)) throw error;
          await backOff({ wait }, attempt);
        }
      }
    },
    // At this step each attempt gets a ClientRequestToken of its own, so AWS takes none for a repetition.
    { step: 'initialize', name: 'retryConflicts' },
  );
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TransactionConflictException') return true;
  if (error.name !== 'TransactionCanceledException') return false;
  const { CancellationReasons = [] } = error as TransactionCanceledException;
  const codes = CancellationReasons.map(({ Code }) => Code ?? '');
  return codes.some((code) => transientCodes.has(code)) && !codes.includes('ConditionalCheckFailed');
}

const transientCodes = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
