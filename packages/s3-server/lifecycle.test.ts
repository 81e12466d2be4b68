import { readdir } from 'node:fs/promises';
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { Bucket, startTestStore } from './test-support/start-test-store.ts';

const dayMilliseconds = 24 * 3600 * 1000;

test('objects and unfinished uploads expire after their days, with everything they had on disk', async () => {
  let now = Date.now();
  await using store = await startTestStore({
    clock: () => now,
    definition: { name: Bucket, expirations: [{ prefix: 'uploads/', days: 1 }], abortUploadsAfterDays: 2 },
  });
  // The requests are signed for the server's time, which the test moves on.
  const signedNow = () => store.client({ systemClockOffset: now - Date.now() });
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

test('a copy expires its own days after it was made, and outlives what it was made of', async () => {
  let now = Date.now();
  await using store = await startTestStore({
    clock: () => now,
    definition: { name: Bucket, expirations: [{ prefix: 'events/', days: 2 }] },
  });
  const signedNow = () => store.client({ systemClockOffset: now - Date.now() });
  const keys = async () => {
    const { Contents = [] } = await signedNow().send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key }) => Key);
  };
  await store.s3.send(new PutObjectCommand({ Bucket, Key: 'events/one', Body: 'kept' }));
  now += dayMilliseconds;
  const CopySource = `${Bucket}/events/one`;
  await signedNow().send(new CopyObjectCommand({ Bucket, Key: 'events/two', CopySource }));
  now += dayMilliseconds + 60_001;
  expect(await keys()).toEqual(['events/two']);
  const { Body } = await signedNow().send(new GetObjectCommand({ Bucket, Key: 'events/two' }));
  expect(await Body!.transformToString()).toBe('kept');
  now += dayMilliseconds;
  expect(await keys()).toEqual([]);
  expect(await readdir(`${store.folder}/${Bucket}/segments`)).toEqual([]);
});

test('expired objects are removed within a minute, also if the clock was set back', async () => {
  let now = Date.now();
  await using store = await startTestStore({
    clock: () => now,
    definition: { name: Bucket, expirations: [{ prefix: 'uploads/', days: 1 }] },
  });
  const signedNow = () => store.client({ systemClockOffset: now - Date.now() });
  const keys = async () => (await signedNow().send(new ListObjectsV2Command({ Bucket }))).KeyCount;
  await signedNow().send(new PutObjectCommand({ Bucket, Key: 'uploads/short', Body: 'x' }));
  // A sweep far ahead of the time to which the clock goes back.
  now += 30 * dayMilliseconds;
  expect(await keys()).toBe(0);
  now -= 30 * dayMilliseconds;
  await signedNow().send(new PutObjectCommand({ Bucket, Key: 'uploads/next', Body: 'x' }));
  now += dayMilliseconds + 60_001;
  expect(await keys()).toBe(0);
});
