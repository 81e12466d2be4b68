import { existsSync } from 'node:fs';
import { type BucketLocationConstraint, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteQueueCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { EmbeddedAws, EmbeddedAwsOptions } from '@errand/local/testing';
import { localCredentials, localRegion } from '@errand/platform';
import { startOneAtATime } from './one-at-a-time.ts';
import { type Moto, startMoto } from './start-moto.ts';

/** moto forgets all when it ends, so the one of a data folder lives as long as the folder. */
const kept = new Map<string, Moto>();
const inUse = new Set<string>();

/** Stands in for `packages/local/aws/start-embedded-aws.ts`. */
export async function startEmbeddedAws(options: EmbeddedAwsOptions): Promise<EmbeddedAws> {
  const { dataDir, buckets = [], dynamodbEndpoint } = options;
  await endUnused();
  const moto = kept.get(dataDir) ?? (await startMoto());
  kept.set(dataDir, moto);
  inUse.add(dataDir);
  const [dynamodb, sqs, s3] = await Promise.all([
    startOneAtATime(moto.url),
    startOneAtATime(moto.url),
    startOneAtATime(moto.url),
  ]);
  await makeBuckets(s3.url, buckets);
  await forgetQueues(sqs.url);
  return {
    endpoints: { dynamodb: dynamodbEndpoint ?? dynamodb.url, sqs: sqs.url, s3: s3.url },
    async close() {
      inUse.delete(dataDir);
      await Promise.all([dynamodb.close(), sqs.close(), s3.close()]);
    },
  };
}

async function endUnused(): Promise<void> {
  for (const [dataDir, moto] of kept) {
    if (inUse.has(dataDir) || existsSync(dataDir)) continue;
    kept.delete(dataDir);
    await moto.close();
  }
}

const settingsOf = (endpoint: string) => ({ endpoint, region: localRegion, credentials: localCredentials });

async function makeBuckets(url: string, buckets: NonNullable<EmbeddedAwsOptions['buckets']>): Promise<void> {
  const s3 = new S3Client({ ...settingsOf(url), forcePathStyle: true });
  for (const { name } of buckets) {
    const place = { LocationConstraint: localRegion as BucketLocationConstraint };
    await s3
      .send(new CreateBucketCommand({ Bucket: name, CreateBucketConfiguration: place }))
      .catch((error: Error) => {
        if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
      });
  }
  s3.destroy();
}

/** The embedded queues are empty at every start, too. */
async function forgetQueues(url: string): Promise<void> {
  const sqs = new SQSClient(settingsOf(url));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  for (const QueueUrl of QueueUrls) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  sqs.destroy();
}
