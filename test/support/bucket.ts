import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFiles, type Files, localBucket, localCredentials, localRegion } from '@errand/platform';
import { startFileStore } from '@errand/s3-server';

export interface TestBucket {
  files: Files;
  /** The keys of all objects. */
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

/** An embedded S3 in a folder of its own, with the service's bucket. */
export async function startTestBucket(): Promise<TestBucket> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-bucket-'));
  const { endpoint, close } = await startFileStore({
    folder,
    host: '127.0.0.1',
    credentials: localCredentials,
    buckets: [{ name: localBucket }],
  });
  const settings = { region: localRegion, credentials: localCredentials, endpoints: { s3: endpoint } };
  const files = createFiles({ ...settings, bucket: localBucket } as Parameters<typeof createFiles>[0]);
  return {
    files,
    async keys() {
      const keys: string[] = [];
      for await (const page of files.list('')) for (const { key } of page) keys.push(key);
      return keys;
    },
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
