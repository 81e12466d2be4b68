import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { VisionDeps } from '@errand/agent';
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

/** What reading a run's file takes, before the run is accepted. */
export interface AttachmentDeps {
  files: Files;
  log: Log;
  attachments: {
    vision: VisionDeps;
    /** The provider cannot follow links to this machine: images go to it as bytes in a data URL. */
    inlineImages: boolean;
    /** How long reading a file may take before the request is refused. */
    readMilliseconds: number;
  };
}
