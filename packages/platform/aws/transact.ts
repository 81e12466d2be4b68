import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { backOff, type RetryingDeps } from './backoff.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction. `condition` names what its ConditionExpression protects, if it has one. */
export type NamedWrite = TransactItem & { condition?: string };

/** The transaction was refused because these named conditions did not hold; nothing was written. */
export class ConditionsFailed extends Error {
  override readonly name = 'ConditionsFailed';
  readonly conditions: readonly string[];

  constructor(conditions: readonly string[]) {
    super(`conditions failed: ${conditions.join(', ')}`);
    this.conditions = conditions;
  }

  has(condition: string): boolean {
    return this.conditions.includes(condition);
  }
}

const maxAttempts = 12;

/**
 * Writes all or nothing. AWS cancels colliding transactions with TransactionConflict (and throttles with
 * ThrottlingError), which the SDK does not retry: here it is, with full jitter.
 * Throws `ConditionsFailed` with the names of the conditions that did not hold.
 */
export async function transact(deps: RetryingDeps, writes: readonly NamedWrite[]): Promise<void> {
  const items = writes.map(({ condition: _, ...item }) => item);
  for (let attempt = 1; ; attempt++) {
    try {
      await deps.dynamodb.send(new TransactWriteCommand({ TransactItems: items }));
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
      const failed = codes.flatMap((code, i) =>
        code === 'ConditionalCheckFailed' ? [writes[i]?.condition ?? `write ${i}`] : [],
      );
      if (failed.length > 0) throw new ConditionsFailed(failed);
      if (!codes.some(isPassing) || attempt === maxAttempts) throw error;
      await backOff(deps, attempt);
    }
  }
}

const isPassing = (code: string) =>
  code === 'TransactionConflict' || code === 'ThrottlingError' || code === 'ProvisionedThroughputExceeded';
