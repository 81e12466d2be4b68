import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { S3Error } from '../wire/errors.ts';
import { type Bucket, type BucketDefinition, openBucket } from './bucket.ts';

export interface Buckets {
  /** Throws NoSuchBucket. */
  get(name: string): Bucket;
  /** Removes what has expired, at most once a minute. */
  sweep(): Promise<void>;
}

const sweepEveryMilliseconds = 60_000;

/** Opens each bucket in a folder of its own, and makes those that are missing. */
export async function openBuckets(
  deps: { folder: string; clock: Clock },
  definitions: readonly BucketDefinition[],
): Promise<Buckets> {
  const { folder, clock } = deps;
  const buckets = new Map<string, Bucket>();
  let nextSweepAtMilliseconds = 0;
  let sweeping: Promise<unknown> | undefined;
  for (const definition of definitions) {
    checkBucketName(definition.name);
    buckets.set(definition.name, await openBucket(join(folder, definition.name), definition));
  }

  return {
    get(name) {
      const bucket = buckets.get(name);
      if (!bucket) throw new S3Error('NoSuchBucket');
      return bucket;
    },
    async sweep() {
      const wait = nextSweepAtMilliseconds - clock();
      // A longer wait began before the clock went back.
      if (!sweeping && (wait <= 0 || wait > sweepEveryMilliseconds)) {
        nextSweepAtMilliseconds = clock() + sweepEveryMilliseconds;
        sweeping = Promise.all([...buckets.values()].map((bucket) => bucket.sweep(clock()))).finally(() => {
          sweeping = undefined;
        });
      }
      await sweeping;
    },
  };
}

/** S3's rules for names, which also keep a name from being a path. */
function checkBucketName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..')) {
    throw new Error(`The name ${JSON.stringify(name)} of a bucket is not valid.`);
  }
}
