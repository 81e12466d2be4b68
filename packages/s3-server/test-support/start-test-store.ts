import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { Clock } from '../clock.ts';
import { startFileStore } from '../start-file-store.ts';
import type { BucketDefinition } from '../store/bucket.ts';

export const testCredentials = { accessKeyId: 'AKIALOCAL', secretAccessKey: 'a secret for tests' };
export const Bucket = 'files';

export interface TestStore extends AsyncDisposable {
  folder: string;
  endpoint: string;
  s3: S3Client;
  errors: unknown[];
  client(config?: S3ClientConfig): S3Client;
  /** Closes the server and opens its folder again. Earlier clients no longer work. */
  restart(): Promise<void>;
}

export async function startTestStore(
  options: { clock?: Clock; folder?: string; definition?: BucketDefinition } = {},
): Promise<TestStore> {
  const { clock, definition = { name: Bucket } } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'errand-files-')));
  const errors: unknown[] = [];
  const settings = { folder, host: '127.0.0.1', credentials: testCredentials, buckets: [definition] };
  const start = () => startFileStore({ ...settings, onError: (error) => errors.push(error), clock });
  let store = await start();
  const client = (config: S3ClientConfig = {}) =>
    new S3Client({
      endpoint: store.endpoint,
      region: 'eu-west-1',
      forcePathStyle: true,
      credentials: testCredentials,
      maxAttempts: 1,
      ...config,
    });
  let s3 = client();
  return {
    folder,
    errors,
    client,
    get endpoint() {
      return store.endpoint;
    },
    get s3() {
      return s3;
    },
    async restart() {
      s3.destroy();
      await store.close();
      store = await start();
      s3 = client();
    },
    async [Symbol.asyncDispose]() {
      s3.destroy();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
