import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Files, Log, TableNames } from '@errand/platform';
import type { RunSignals } from './signals.ts';

/** What reading and writing runs takes. */
export interface RunStoreDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  files: Files;
  clock: Clock;
}

export interface RunQueueDeps {
  sqs: SQSClient;
  queueUrl: string;
}

export interface RunsDeps extends RunStoreDeps, RunQueueDeps {
  log: Log;
  signals: RunSignals;
}
