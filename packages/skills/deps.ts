import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Log, TableNames } from '@errand/platform';

export interface SkillsDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
  log: Log;
  skillsEnabled: boolean;
  /** The name of the operator's scope, beside `user` and `organisation`, in answers. */
  providerScope: string;
  /** For tests that hold the clock. */
  wait?: (milliseconds: number) => Promise<void>;
}

export type StoreDeps = Pick<SkillsDeps, 'dynamodb' | 'tables' | 'wait'>;
