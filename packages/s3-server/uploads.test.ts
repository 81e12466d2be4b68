import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  NoSuchUpload,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRefused } from '../../test/support/aws-rules/hold-commands.ts';
import { Bucket, startTestStore, type TestStore } from './test-support/start-test-store.ts';

const partBytes = 5 * 1024 ** 2;

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  expect(store.errors).toEqual([]);
});

async function begin(Key: string): Promise<string> {
  const kept = { ContentType: 'audio/wav', Metadata: { a: 'b' } };
  const command = new CreateMultipartUploadCommand({ Bucket, Key, ...kept });
  return (await store.s3.send(command)).UploadId!;
}

async function uploadPart(Key: string, UploadId: string, PartNumber: number, Body: Buffer) {
  const answer = await store.s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  return { PartNumber, ETag: answer.ETag! };
}

const complete = (Key: string, UploadId: string, Parts: { PartNumber: number; ETag: string }[]) =>
  store.s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));

const md5 = (data: Buffer) => createHash('md5').update(data).digest();

describe('an upload in parts', () => {
  test('becomes one object, with S3’s tag for it, readable across its seams after a restart', async () => {
    const UploadId = await begin('whole.wav');
    const bodies = [Buffer.alloc(partBytes, 'a'), Buffer.alloc(partBytes, 'b'), Buffer.from('the end')];
    const parts = await Promise.all(bodies.map((body, i) => uploadPart('whole.wav', UploadId, i + 1, body)));
    await store.restart();
    const answer = await complete('whole.wav', UploadId, parts);
    expect(answer.ETag).toBe(`"${md5(Buffer.concat(bodies.map(md5))).toString('hex')}-3"`);
    await store.restart();
    const found = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'whole.wav' }));
    expect(found).toMatchObject({ ContentType: 'audio/wav', Metadata: { a: 'b' }, ETag: answer.ETag });
    expect(md5(Buffer.from(await found.Body!.transformToByteArray()))).toEqual(md5(Buffer.concat(bodies)));
    const Range = `bytes=${partBytes - 2}-${partBytes * 2 + 2}`;
    const middle = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'whole.wav', Range }));
    expect(await middle.Body!.transformToString()).toBe(`aa${'b'.repeat(partBytes)}the`);
    await expect(complete('whole.wav', UploadId, parts)).rejects.toBeInstanceOf(NoSuchUpload);
  });

  test('takes the last body of a part, and leaves out parts that are not named', async () => {
    const UploadId = await begin('chosen');
    await uploadPart('chosen', UploadId, 1, Buffer.from('first try'));
    const second = await uploadPart('chosen', UploadId, 1, Buffer.from('second try'));
    await uploadPart('chosen', UploadId, 2, Buffer.from('unused'));
    await complete('chosen', UploadId, [second]);
    const { Body } = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'chosen' }));
    expect(await Body!.transformToString()).toBe('second try');
  });

  test('refuses parts that are too small, unknown, altered or out of order, and can then still be completed', async () => {
    const UploadId = await begin('refused');
    const small = await uploadPart('refused', UploadId, 1, Buffer.from('small'));
    const last = await uploadPart('refused', UploadId, 2, Buffer.from('last'));
    const refusals = [
      { parts: [small, last], name: 'EntityTooSmall' },
      { parts: [last, small], name: 'InvalidPartOrder' },
      { parts: [{ ...small, ETag: '"other"' }], name: 'InvalidPart' },
      { parts: [small, { ...last, PartNumber: 3 }], name: 'InvalidPart' },
      { parts: [], name: 'MalformedXML' },
    ];
    for (const { parts, name } of refusals) {
      const refused = sendRefused(() => complete('refused', UploadId, parts));
      await expect(refused).rejects.toMatchObject({ name });
    }
    await complete('refused', UploadId, [last]);
  });

  test('is gone when aborted, with its parts', async () => {
    const UploadId = await begin('aborted');
    const part = await uploadPart('aborted', UploadId, 1, Buffer.from('x'));
    await store.s3.send(new AbortMultipartUploadCommand({ Bucket, Key: 'aborted', UploadId }));
    await expect(complete('aborted', UploadId, [part])).rejects.toBeInstanceOf(NoSuchUpload);
    await expect(uploadPart('aborted', UploadId, 2, Buffer.from('x'))).rejects.toMatchObject({
      name: 'NoSuchUpload',
    });
    await expect(store.s3.send(new GetObjectCommand({ Bucket, Key: 'aborted' }))).rejects.toBeInstanceOf(
      NoSuchKey,
    );
  });

  test('belongs to its key', async () => {
    const UploadId = await begin('mine');
    await expect(uploadPart('yours', UploadId, 1, Buffer.from('x'))).rejects.toMatchObject({
      name: 'NoSuchUpload',
    });
  });

  test('completed twice at once makes one whole object', async () => {
    const UploadId = await begin('raced');
    const part = await uploadPart('raced', UploadId, 1, Buffer.from('raced'));
    const results = await Promise.allSettled([1, 2, 3].map(() => complete('raced', UploadId, [part])));
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    await store.restart();
    const { Body } = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'raced' }));
    expect(await Body!.transformToString()).toBe('raced');
  });

  test('is listed until it ends', async () => {
    const listed = async () => {
      const command = new ListMultipartUploadsCommand({ Bucket, Prefix: 'list/' });
      return ((await store.s3.send(command)).Uploads ?? []).map(({ UploadId }) => UploadId).sort();
    };
    const [completed, aborted, open] = [await begin('list/1'), await begin('list/2'), await begin('list/2')];
    expect(await listed()).toEqual([completed, aborted, open].sort());
    await complete('list/1', completed, [await uploadPart('list/1', completed, 1, Buffer.from('x'))]);
    await store.s3.send(new AbortMultipartUploadCommand({ Bucket, Key: 'list/2', UploadId: aborted }));
    expect(await listed()).toEqual([open]);
  });
});

test('what an object replaces, and what a deletion leaves, takes no room on disk', async () => {
  await using own = await startTestStore();
  const { readdir } = await import('node:fs/promises');
  for (const Body of ['one', 'two', 'three'])
    await own.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body }));
  expect(await readdir(`${own.folder}/${Bucket}/segments`)).toHaveLength(1);
});
