import { CreateMultipartUploadCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, expect, test } from 'vitest';
import { createFiles } from './files.ts';
import { localCredentials, localRegion } from './local.ts';

const mock = mockClient(S3Client);
afterAll(() => mock.restore());

test('a call waits no longer for a bucket than its bytes need, so a bucket that hangs delays no answer', async () => {
  mock.onAnyCommand().resolves({});
  mock.on(CreateMultipartUploadCommand).resolves({ UploadId: 'one' });
  mock
    .on(ListObjectsV2Command)
    .resolvesOnce({ Contents: [{ Key: 'a' }] })
    .resolves({});
  const files = createFiles({
    region: localRegion,
    credentials: localCredentials,
    endpoints: {},
    bucket: 'files',
  } as never);
  await files.put('a', 'x'.repeat(1_000_000), 'text/plain');
  await files.size('a');
  await files.readRange('a', { offset: 0, length: 10 });
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
    ['DeleteObjectCommand', 5_000],
    ['ListObjectsV2Command', 5_000],
    ['DeleteObjectsCommand', 5_000],
    ['ListObjectsV2Command', 5_000],
    ['CreateMultipartUploadCommand', 5_000],
    ['UploadPartCommand', 10_000],
    ['AbortMultipartUploadCommand', 5_000],
  ]);
});
