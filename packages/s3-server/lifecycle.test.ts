import { readdir } from 'node:fs/promises';
import {
  CreateMultipartUploadCommand,
  GetBucketLifecycleConfigurationCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { ensureBucket } from './ensure-bucket.ts';
import { Bucket, startTestStore, type TestStore } from './start-test-store.ts';

const dayMilliseconds = 24 * 3600 * 1000;
const definition = {
  bucket: Bucket,
  expirations: [{ prefix: 'uploads/', days: 1 }],
  abortUploadsAfterDays: 2,
};

const keysOf = async (store: TestStore) =>
  ((await store.s3.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key);

test('objects and unfinished uploads go when their days are over, with all they had on disk', async () => {
  let now = Date.now();
  await using store = await startTestStore({ clock: () => now });
  // The SDK learns the server's time from a refusal, as it does from AWS.
  const signedNow = () => store.client({ systemClockOffset: now - Date.now() });
  await ensureBucket(store.s3, definition);
  await store.s3.send(new PutObjectCommand({ Bucket, Key: 'uploads/short', Body: 'x' }));
  await store.s3.send(new PutObjectCommand({ Bucket, Key: 'saved/long', Body: 'x' }));
  const { UploadId } = await store.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'saved/open' }));
  await store.s3.send(
    new UploadPartCommand({ Bucket, Key: 'saved/open', UploadId, PartNumber: 1, Body: 'x' }),
  );

  now += dayMilliseconds - 60_001;
  expect((await signedNow().send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(2);
  now += 60_002;
  const { Contents } = await signedNow().send(new ListObjectsV2Command({ Bucket }));
  expect(Contents?.map(({ Key }) => Key)).toEqual(['saved/long']);
  expect((await signedNow().send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toHaveLength(1);
  now += dayMilliseconds;
  expect((await signedNow().send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).toEqual([]);
  expect(await readdir(`${store.folder}/${Bucket}/segments`)).toHaveLength(1);
});

test('a bucket is made and ruled once, however many ask for it at once, and keeps its rules', async () => {
  await using store = await startTestStore();
  const another = { ...definition, bucket: 'another' };
  await Promise.all([1, 2, 3].map(() => ensureBucket(store.s3, another)));
  await store.restart();
  await ensureBucket(store.s3, another);
  const rules = await store.s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket: 'another' }));
  expect(rules.Rules).toEqual([
    { ID: 'expire uploads/', Status: 'Enabled', Filter: { Prefix: 'uploads/' }, Expiration: { Days: 1 } },
    {
      ID: 'abort uploads',
      Status: 'Enabled',
      Filter: { Prefix: '' },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
    },
  ]);
  const none = new GetBucketLifecycleConfigurationCommand({ Bucket });
  await expect(store.s3.send(none)).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' });
  expect(await keysOf(store)).toEqual([]);
});

test('a rule that would not be followed is refused', async () => {
  await using store = await startTestStore();
  const rule = {
    Status: 'Enabled' as const,
    Filter: { Tag: { Key: 'a', Value: 'b' } },
    Expiration: { Days: 1 },
  };
  const command = new PutBucketLifecycleConfigurationCommand({
    Bucket,
    LifecycleConfiguration: { Rules: [rule] },
  });
  await expect(store.s3.send(command)).rejects.toMatchObject({ name: 'NotImplemented' });
});
