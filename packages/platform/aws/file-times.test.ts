import { Readable } from 'node:stream';
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { createFiles } from './files.ts';
import { localCredentials, localRegion } from './local.ts';

const mock = mockClient(S3Client);
afterEach(() => mock.reset());
// Files of other tests share the process, and need the real client.
afterAll(() => mock.restore());

const makeFiles = () =>
  createFiles({
    region: localRegion,
    credentials: localCredentials,
    endpoints: {},
    bucket: 'files',
  } as never);

test('a call waits no longer for a bucket than its bytes need, so a bucket that hangs delays no answer', async () => {
  mock.onAnyCommand().resolves({});
  mock.on(CreateMultipartUploadCommand).resolves({ UploadId: 'one' });
  mock
    .on(ListObjectsV2Command)
    .resolvesOnce({ Contents: [{ Key: 'a' }] })
    .resolves({});
  const files = makeFiles();
  await files.put('a', 'x'.repeat(1_000_000), 'text/plain');
  await files.size('a');
  await files.readRange('a', { offset: 0, length: 10 });
  await files.copy('a', 'b');
  await files.copy('a', 'b', { bytes: limits.recordingBytes });
  await files.delete('a');
  await files.deletePrefix('a');
  const upload = await files.startMultipart('a', 'text/plain');
  await upload.send(new Uint8Array(5_000_000));
  await upload.abort();
  const times = mock.calls().map(({ args }) => {
    const [command, options] = args as unknown as [object, { requestTimeout?: number } | undefined];
    return [command.constructor.name, options?.requestTimeout];
  });
  expect(times).toEqual([
    ['PutObjectCommand', 6_000],
    ['HeadObjectCommand', 5_000],
    ['GetObjectCommand', 5_000],
    ['CopyObjectCommand', 5_000],
    ['CopyObjectCommand', 30_000],
    ['DeleteObjectCommand', 5_000],
    ['ListObjectsV2Command', 5_000],
    ['DeleteObjectsCommand', 5_000],
    ['ListObjectsV2Command', 5_000],
    ['CreateMultipartUploadCommand', 5_000],
    ['UploadPartCommand', 10_000],
    ['AbortMultipartUploadCommand', 5_000],
  ]);
});

test('large texts that are there at the same time are read in turns of their own', async () => {
  const body = Buffer.alloc(limits.ownTurnBytes + 1, 'x');
  mock.on(GetObjectCommand).callsFake(() => ({ Body: Readable.from([body]), ContentLength: body.length }));
  const files = makeFiles();
  await files.getText('a');
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  count();
  const readIn = await Promise.all(Array.from({ length: 8 }, () => files.getText('a').then(() => turn)));
  isOver = true;
  expect(new Set(readIn).size).toBe(8);
});
