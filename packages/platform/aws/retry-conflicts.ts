import type { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { delay } from '../clock.ts';
import { backOff, type Wait } from './backoff.ts';

const maxAttempts = 12;

/**
 * Lets a client send a write again that collided with a transaction, after a wait with full jitter, 12 times at most.
 * AWS refuses a plain write of an item inside a running transaction, and cancels a transaction that meets another one
 * or is throttled; the SDK (client-dynamodb 3.1162) throws both at once.
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
    // The first step: each attempt has a token of its own, and AWS takes none for a repetition of the cancelled one.
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
