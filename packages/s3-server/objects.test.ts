import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  NoSuchBucket,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRefused } from '../../test/support/aws-rules/hold-commands.ts';
import { Bucket, startTestStore, type TestStore } from './test-support/start-test-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  expect(store.errors).toEqual([]);
});

const put = (Key: string, Body: string, more: Partial<PutObjectCommandInput> = {}) =>
  store.s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  store.s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
const text = async (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  (await get(Key, more)).Body!.transformToString();

describe('an object', () => {
  test('is read back with its type, headers and metadata', async () => {
    const answer = await put('notes/one.txt', 'hello', {
      ContentType: 'text/plain; charset=utf-8',
      ContentDisposition: 'attachment; filename="one.txt"',
      ContentEncoding: 'identity',
      CacheControl: 'no-store',
      Metadata: { owner: 'somebody' },
    });
    expect(answer.ETag).toBe('"5d41402abc4b2a76b9719d911017c592"');
    const found = await get('notes/one.txt');
    expect(found).toMatchObject({
      ContentType: 'text/plain; charset=utf-8',
      ContentDisposition: 'attachment; filename="one.txt"',
      ContentEncoding: 'identity',
      CacheControl: 'no-store',
      Metadata: { owner: 'somebody' },
      ContentLength: 5,
      ETag: answer.ETag,
    });
    expect(await found.Body!.transformToString()).toBe('hello');
    const head = await store.s3.send(new HeadObjectCommand({ Bucket, Key: 'notes/one.txt' }));
    expect(head).toMatchObject({ ContentLength: 5, ETag: answer.ETag, Metadata: { owner: 'somebody' } });
  });

  test('may be empty', async () => {
    await put('empty', '', { ContentLength: 0 });
    expect(await text('empty')).toBe('');
    await expect(get('empty', { Range: 'bytes=0-' })).rejects.toMatchObject({ name: 'InvalidRange' });
  });

  test('is replaced by the next one of its key', async () => {
    await put('twice', 'first', { Metadata: { a: '1' } });
    await put('twice', 'second');
    expect(await text('twice')).toBe('second');
    expect((await get('twice')).Metadata).toEqual({});
  });

  test('is gone when deleted, and deleting it again is no error', async () => {
    await put('going', 'x');
    await store.s3.send(new DeleteObjectCommand({ Bucket, Key: 'going' }));
    await store.s3.send(new DeleteObjectCommand({ Bucket, Key: 'going' }));
    await expect(get('going')).rejects.toBeInstanceOf(NoSuchKey);
    await expect(store.s3.send(new HeadObjectCommand({ Bucket, Key: 'going' }))).rejects.toBeInstanceOf(
      NotFound,
    );
  });

  test('headers of the answer can be replaced by the reader', async () => {
    await put('replaced', 'x', { ContentType: 'text/html' });
    const found = await get('replaced', {
      ResponseContentType: 'text/plain',
      ResponseContentDisposition: `attachment; filename="grün.txt"`,
      ResponseCacheControl: 'private',
    });
    expect(found).toMatchObject({ ContentType: 'text/plain', CacheControl: 'private' });
    expect(Buffer.from(found.ContentDisposition!, 'latin1').toString()).toBe(
      'attachment; filename="grün.txt"',
    );
    const refused = sendRefused(() => get('replaced', { ResponseContentType: 'a\r\nb: c' }));
    await expect(refused).rejects.toMatchObject({ name: 'InvalidArgument' });
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ])('%s is answered with just those bytes', async (Range, expected, contentRange) => {
    await put('digits', '0123456789');
    const found = await get('digits', { Range });
    expect(found).toMatchObject({ ContentRange: contentRange, ContentLength: expected.length });
    expect(found.$metadata.httpStatusCode).toBe(206);
    expect(await found.Body!.transformToString()).toBe(expected);
  });

  test.each(['bytes=4-2', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=-'])(
    '%s gets the whole object',
    async (Range) => {
      await put('digits', '0123456789');
      expect(await text('digits', { Range })).toBe('0123456789');
    },
  );

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('%s is past the end and refused', async (Range) => {
    await put('digits', '0123456789');
    await expect(get('digits', { Range })).rejects.toMatchObject({
      name: 'InvalidRange',
      $metadata: { httpStatusCode: 416 },
    });
  });
});

test('a reader who has the object already gets 304', async () => {
  const { ETag } = await put('known', 'x');
  for (const IfNoneMatch of [ETag, `"another", W/${ETag}`, '*'])
    await expect(get('known', { IfNoneMatch })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
  expect(await text('known', { IfNoneMatch: '"another"' })).toBe('x');
});

test('a reader who goes on with a download gets the same object or a 412', async () => {
  const { ETag } = await put('known', 'x');
  const [past, future] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
  await expect(get('known', { IfModifiedSince: future })).rejects.toMatchObject({
    $metadata: { httpStatusCode: 304 },
  });
  expect(await text('known', { IfModifiedSince: past })).toBe('x');
  for (const condition of [{ IfMatch: ETag }, { IfMatch: '*' }, { IfUnmodifiedSince: future }])
    expect(await text('known', condition)).toBe('x');
  for (const condition of [{ IfMatch: '"another"' }, { IfUnmodifiedSince: past }])
    await expect(get('known', condition)).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
});

describe('many at once', () => {
  test('a batch of deletions may name missing keys', async () => {
    await put('batch/1', 'x');
    const Delete = { Objects: [{ Key: 'batch/1' }, { Key: 'batch/<&"\u0001>' }] };
    const answer = await store.s3.send(new DeleteObjectsCommand({ Bucket, Delete }));
    expect(answer.Deleted).toEqual(Delete.Objects);
    await expect(get('batch/1')).rejects.toBeInstanceOf(NoSuchKey);
  });

  test('many writers and readers of one key never see half an object', async () => {
    const bodies = Array.from({ length: 8 }, (_, i) => String(i).repeat(50_000));
    await put('busy', bodies[0]!);
    const reads = await Promise.all(
      bodies.flatMap((body) => [put('busy', body).then(() => undefined), text('busy'), text('busy')]),
    );
    for (const read of reads) if (read !== undefined) expect(bodies).toContain(read);
  });
});

test('a missing bucket is reported as missing', async () => {
  const missing = { Bucket: 'elsewhere', Key: 'x' };
  await expect(store.s3.send(new GetObjectCommand(missing))).rejects.toBeInstanceOf(NoSuchBucket);
  await expect(store.s3.send(new PutObjectCommand({ ...missing, Body: 'x' }))).rejects.toMatchObject({
    name: 'NoSuchBucket',
  });
});
