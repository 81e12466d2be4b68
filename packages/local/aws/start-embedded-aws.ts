import { join } from 'node:path';
import type { Clock } from '@errand/platform';
import type { Credentials } from '@errand/s3-server';
import { startFileStore } from '@errand/s3-server';
import { startDynamo } from './dynamodb/start-dynamo.ts';
import { startQueues } from './sqs/start-queues.ts';

export interface EmbeddedAwsOptions {
  /** Tables and files are kept under it, and are there at the next start; what is queued is not. */
  dataDir: string;
  host: string;
  /** What requests for files must be signed with; the tables and queues take any. */
  credentials: Credentials;
  /** Made at the start if they are not there. */
  buckets?: readonly string[];
  /** A DynamoDB that runs already, instead of the embedded one. */
  dynamodbEndpoint?: string;
  clock?: Clock;
  /** Told when a part ends without having been closed. */
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
      ...(clock && { clock }),
      ...(onError && { onError }),
    }),
  );
  const sqs = keep(await startQueues({ host }));
  const dynamodb = dynamodbEndpoint
    ? { endpoint: dynamodbEndpoint }
    : keep(await startDynamo({ file: join(dataDir, 'dynamodb.sqlite'), host, ...(onExit && { onExit }) }));
  const started = starting.move();
  return {
    endpoints: { dynamodb: dynamodb.endpoint, sqs: sqs.endpoint, s3: s3.endpoint },
    close: () => started.disposeAsync(),
  };
}
