import { join } from 'node:path';
import type { Clock } from '@errand/platform';
import { startDynamo } from './dynamodb/start-dynamo.ts';
import { startFileStore } from './s3/start-file-store.ts';
import type { Credentials } from './s3/wire/read-authorization.ts';
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

/** Starts all three or none. */
export async function startEmbeddedAws(options: EmbeddedAwsOptions): Promise<EmbeddedAws> {
  const { dataDir, host, credentials, buckets = [], dynamodbEndpoint, clock, onExit, onError } = options;
  const starting = {
    dynamodb: dynamodbEndpoint
      ? Promise.resolve({ endpoint: dynamodbEndpoint, close: () => Promise.resolve() })
      : startDynamo({ file: join(dataDir, 'dynamodb.sqlite'), host, ...(onExit && { onExit }) }),
    sqs: startQueues({ host }),
    s3: startFileStore({
      folder: join(dataDir, 'files'),
      host,
      credentials,
      buckets,
      ...(clock && { clock }),
      ...(onError && { onError }),
    }),
  };
  const close = async () => {
    const started = await Promise.allSettled(Object.values(starting));
    await Promise.all(started.map((part) => part.status === 'fulfilled' && part.value.close()));
  };
  try {
    const [dynamodb, sqs, s3] = await Promise.all([starting.dynamodb, starting.sqs, starting.s3]);
    return { endpoints: { dynamodb: dynamodb.endpoint, sqs: sqs.endpoint, s3: s3.endpoint }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
