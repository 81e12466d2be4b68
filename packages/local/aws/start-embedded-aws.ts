import { join } from 'node:path';
import type { Clock } from '@errand/platform';
import { type BucketDefinition, type Credentials, startFileStore } from '@errand/s3-server';
import { startDynamo } from './dynamodb/start-dynamo.ts';
import { startQueues } from './sqs/start-queues.ts';

export interface EmbeddedAwsOptions {
  /** The folder keeps tables and files until the next start. Queued messages are lost. */
  dataDir: string;
  host: string;
  /** Requests for files must be signed with these. Tables and queues accept any. */
  credentials: Credentials;
  /** Missing buckets are made. */
  buckets?: readonly BucketDefinition[];
  /** The endpoint of a running DynamoDB to use instead of the embedded one. */
  dynamodbEndpoint?: string;
  clock?: Clock;
  /** Called when the embedded DynamoDB ends without having been closed. */
  onExit?: (reason: string) => void;
  onError?: (error: unknown) => void;
}

export interface EmbeddedAws {
  endpoints: { dynamodb: string; sqs: string; s3: string };
  close(): Promise<void>;
}

/** Starts all three or none. Throws if another process has the data folder. */
export async function startEmbeddedAws(options: EmbeddedAwsOptions): Promise<EmbeddedAws> {
  const { dataDir, host, credentials, buckets = [], dynamodbEndpoint, clock, onExit, onError } = options;
  await using starting = new AsyncDisposableStack();
  const keep = <Part extends { close(): Promise<void> }>(part: Part) =>
    starting.adopt(part, () => part.close());
  const s3 = keep(
    await startFileStore({
      folder: join(dataDir, 'files'),
      host,
      credentials,
      buckets,
      clock,
      onError,
    }),
  );
  const sqs = keep(await startQueues({ host }));
  const dynamodb = dynamodbEndpoint
    ? { endpoint: dynamodbEndpoint }
    : keep(await startDynamo({ file: join(dataDir, 'dynamodb.sqlite'), host, onExit }));
  const started = starting.move();
  return {
    endpoints: { dynamodb: dynamodb.endpoint, sqs: sqs.endpoint, s3: s3.endpoint },
    close: () => started.disposeAsync(),
  };
}
