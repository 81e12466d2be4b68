import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { S3Error } from '../wire/errors.ts';
import { type Bucket, createBucket, openBucket } from './bucket.ts';
import { sweepBucket } from './sweep-bucket.ts';

export interface Buckets {
  /** Throws NoSuchBucket. */
  get(name: string): Bucket;
  list(): Bucket[];
  /** False if there was one already. */
  ensure(name: string): Promise<boolean>;
  /** Applies the lifecycle rules, at most once a minute. */
  sweep(): Promise<void>;
}

const sweepEveryMilliseconds = 60_000;

/** All buckets under the folder. One process at a time may have them open. */
export async function openBuckets(deps: { folder: string; clock: Clock }): Promise<Buckets> {
  const { folder, clock } = deps;
  const buckets = new Map<string, Promise<Bucket>>();
  const opened = new Map<string, Bucket>();
  let nextSweepAtMilliseconds = 0;
  let sweeping: Promise<unknown> | undefined;

  const add = async (name: string, opening: Promise<Bucket>) => {
    buckets.set(name, opening);
    try {
      opened.set(name, await opening);
    } catch (error) {
      buckets.delete(name);
      throw error;
    }
  };
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (existsSync(join(folder, name, 'bucket.json'))) await add(name, openBucket(join(folder, name)));
  }

  return {
    get(name) {
      const bucket = opened.get(name);
      if (!bucket) throw new S3Error('NoSuchBucket');
      return bucket;
    },
    list: () => [...opened.values()].sort((left, right) => (left.record.name < right.record.name ? -1 : 1)),
    async ensure(name) {
      checkBucketName(name);
      const known = buckets.get(name);
      if (!known) await add(name, createBucket(join(folder, name), { name, createdAtMilliseconds: clock() }));
      else await known;
      return !known;
    },
    async sweep() {
      if (!sweeping && clock() >= nextSweepAtMilliseconds) {
        nextSweepAtMilliseconds = clock() + sweepEveryMilliseconds;
        sweeping = Promise.all([...opened.values()].map((bucket) => sweepBucket(bucket, clock()))).finally(
          () => {
            sweeping = undefined;
          },
        );
      }
      await sweeping;
    },
  };
}

function checkBucketName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..')) {
    throw new S3Error('InvalidBucketName');
  }
}
