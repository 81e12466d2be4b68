import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Log, StartTimer, TableNames } from '@errand/platform';
import type { Notice } from './notice.ts';

export interface AccountsDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
  log: Log;
  /** Requests per window and account. */
  rateLimitRequests: number;
  /** Hands on what was noticed of an account's money. Absent where nobody is told. */
  notify?: ((notice: Notice) => Promise<void>) | undefined;
  /** For tests that hold the time. */
  startTimer?: StartTimer;
}

/** For use cases that neither count requests nor need the time. */
export type StoreDeps = Pick<AccountsDeps, 'dynamodb' | 'tables'>;

export type TimedStoreDeps = Pick<AccountsDeps, 'dynamodb' | 'tables' | 'clock'>;
