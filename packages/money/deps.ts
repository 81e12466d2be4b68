import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Log, SpanExporter, TableNames } from '@errand/platform';

/**
 * Something that was noticed of an account's money, and that it may be told of: its balance is under a fifth of the credits
 * that were added last, or the budget of a key is used up in this period.
 */
export type Notice =
  | { type: 'credits.low'; accountId: string; creditId: string }
  | { type: 'budget.reached'; accountId: string; keyId: string; period: string };

export interface MoneyDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
  log: Log;
  /** Hands on what was noticed of an account's money. Absent where nobody is told. */
  notify?: ((notice: Notice) => Promise<void>) | undefined;
  /** Where the spans of calls go. Absent where the operator wants none. */
  spans?: SpanExporter | undefined;
}

/** For use cases that need neither the time nor the log. */
export type StoreDeps = Pick<MoneyDeps, 'dynamodb' | 'tables'>;

export type TimedStoreDeps = Pick<MoneyDeps, 'dynamodb' | 'tables' | 'clock'>;
