import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Log, TableNames } from '@errand/platform';

export interface SkillsDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
  log: Log;
  skillsEnabled: boolean;
  /** What the third scope is called on the wire. */
  providerScope: string;
  /** Replaced in tests that hold the time. */
  wait?: (milliseconds: number) => Promise<void>;
}

export type StoreDeps = Pick<SkillsDeps, 'dynamodb' | 'tables' | 'wait'>;
