import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Log, TableNames } from '@errand/platform';

export interface VersionsDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
  log: Log;
  /** For tests that hold the clock. */
  wait?: (milliseconds: number) => Promise<void>;
}

export type StoreDeps = Pick<VersionsDeps, 'dynamodb' | 'tables' | 'wait'>;
