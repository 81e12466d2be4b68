import { readdir, writeFile } from 'node:fs/promises';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type PutObjectCommandInput,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { signTestRequest } from './test-support/sign-test-request.ts';
import { Bucket, startTestStore, type TestStore } from './test-support/start-test-store.ts';

let store: TestStore;
beforeEach(async () => {
  store = await startTestStore();
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  expect(store.errors).toEqual([]);
});

const put = (Key: string, Body: string, more: Partial<PutObjectCommandInput> = {}) =>
  store.s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const remove = (Key: string) => store.s3.send(new DeleteObjectCommand({ Bucket, Key }));
const get = (Key: string) => store.s3.send(new GetObjectCommand({ Bucket, Key }));
const text = async (Key: string) => (await get(Key)).Body!.transformToString();
const copy = (CopySource: string, Key: string) =>
  store.s3.send(new CopyObjectCommand({ Bucket, Key, CopySource }));
const sourceOf = (key: string) => `${Bucket}/${encodeURIComponent(key)}`;
const segments = () => readdir(`${store.folder}/${Bucket}/segments`);

describe('a copy', () => {
  test('has the bytes, type, headers, metadata and tag of its source', async () => {
    const { ETag } = await put('one', 'hello', {
      ContentType: 'text/plain; charset=utf-8',
      ContentDisposition: 'attachment; filename="one.txt"',
      Metadata: { owner: 'somebody' },
    });
    const { CopyObjectResult } = await copy(`${Bucket}/one`, 'two');
    const found = await get('two');
    expect(CopyObjectResult).toMatchObject({ ETag, LastModified: expect.any(Date) });
    expect(found).toMatchObject({
      ETag,
      ContentType: 'text/plain; charset=utf-8',
      ContentDisposition: 'attachment; filename="one.txt"',
      ContentLength: 5,
      Metadata: { owner: 'somebody' },
    });
    expect(await found.Body!.transformToString()).toBe('hello');
  });

  test('stays when its source goes, which stays when the copy goes, also after a restart', async () => {
    for (const key of ['one', 'two']) await put(key, `body of ${key}`);
    await copy(`${Bucket}/one`, 'copy of one');
    await copy(`${Bucket}/two`, 'copy of two');
    await store.restart();
    await remove('one');
    await remove('copy of two');
    await store.restart();
    expect(await text('copy of one')).toBe('body of one');
    expect(await text('two')).toBe('body of two');
    await remove('copy of one');
    await remove('two');
    expect(await segments()).toEqual([]);
  });

  test('has what the source was when it was made, and takes the place of what was there', async () => {
    await put('source', 'first');
    await put('copy', 'before');
    await copy(`${Bucket}/source`, 'copy');
    await put('source', 'second');
    expect(await text('copy')).toBe('first');
    await copy(`${Bucket}/source`, 'copy');
    await copy(`${Bucket}/source`, 'copy');
    expect(await text('copy')).toBe('second');
    await remove('copy');
    expect(await text('source')).toBe('second');
    expect(await segments()).toHaveLength(1);
  });

  test('of an object in parts has them all', async () => {
    const at = { Bucket, Key: 'parts' };
    const { UploadId } = await store.s3.send(new CreateMultipartUploadCommand(at));
    const Parts: { PartNumber: number; ETag?: string }[] = [];
    for (const [i, Body] of [Buffer.alloc(5 * 1024 ** 2, 'a'), Buffer.from('end')].entries()) {
      const part = { ...at, UploadId, PartNumber: i + 1, Body };
      const { ETag } = await store.s3.send(new UploadPartCommand(part));
      Parts.push({ PartNumber: i + 1, ETag });
    }
    await store.s3.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
    await copy(`${Bucket}/parts`, 'copy');
    await remove('parts');
    const found = await text('copy');
    expect([found.length, found.slice(-4)]).toEqual([5 * 1024 ** 2 + 3, 'aend']);
  });

  test('of an object that is written meanwhile has one of its versions whole', async () => {
    const bodies = Array.from({ length: 8 }, (_, i) => String(i).repeat(50_000));
    await put('busy', bodies[0]!);
    const copied = await Promise.all(
      bodies.map(async (body, i) => {
        const [read] = await Promise.all([
          copy(`${Bucket}/busy`, `copy ${i}`).then(() => text(`copy ${i}`)),
          put('busy', body),
        ]);
        return read;
      }),
    );
    for (const body of copied) expect(bodies).toContain(body);
  });

  test('of what is not there is refused, and leaves what is under the new key', async () => {
    await put('kept', 'kept');
    await expect(copy(`${Bucket}/none`, 'kept')).rejects.toBeInstanceOf(NoSuchKey);
    await expect(copy(`${Bucket}/none`, 'new')).rejects.toBeInstanceOf(NoSuchKey);
    expect(await text('kept')).toBe('kept');
    await expect(get('new')).rejects.toBeInstanceOf(NoSuchKey);
  });
});

describe('the source of a copy', () => {
  const keys = ['a+b', 'a b', 'a%20b', 'a/../b', '../b', 'é/😀', '?versionId=1', '#', "!'()*", '\u0000'];

  test.each(keys)('is found by its key in percent-encoding: %j', async (key) => {
    for (const other of keys) await put(other, `body of ${other}`);
    const parts = `/${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
    for (const source of [sourceOf(key), encodeURIComponent(`${Bucket}/${key}`), parts]) {
      await copy(source, 'copy');
      expect(await text('copy')).toBe(`body of ${key}`);
      await remove('copy');
    }
  });

  test('has a plus for a space unless it is encoded', async () => {
    await put('a b', 'spaced');
    await copy(`${Bucket}/a+b`, 'copy');
    expect(await text('copy')).toBe('spaced');
  });

  test.each([
    [`${Bucket}/../secret`, 'NoSuchKey'],
    [`${Bucket}/../../secret`, 'NoSuchKey'],
    [`${Bucket}/%2e%2e%2f%2e%2e%2fsecret`, 'NoSuchKey'],
    [`${Bucket}/objects/secret`, 'NoSuchKey'],
    ['../secret', 'NotImplemented'],
    ['./secret', 'NotImplemented'],
    ['%2e%2e/secret', 'NotImplemented'],
    ['//secret', 'InvalidArgument'],
  ])('is never a file outside of the objects: %s', async (source, name) => {
    for (const place of ['secret', `${Bucket}/secret`, `${Bucket}/objects/secret`])
      await writeFile(`${store.folder}/${place}`, 'secret');
    await expect(copy(source, 'copy')).rejects.toMatchObject({ name });
    expect((await store.s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0);
  });

  test('comes alone: a copy with a body is refused, and one under another signature', async () => {
    await put('one', 'x');
    const url = new URL(`${store.endpoint}/${Bucket}/copy`);
    const source = { 'x-amz-copy-source': `${Bucket}/one` };
    const { headers } = signTestRequest('PUT', url, 'UNSIGNED-PAYLOAD', source);
    const send = async (init: RequestInit) => {
      const response = await fetch(url, { method: 'PUT', ...init });
      return /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? response.status;
    };
    expect(await send({ headers, body: 'bytes' })).toBe('EntityTooLarge');
    const changed = { ...headers, 'x-amz-copy-source': `${Bucket}/other` };
    expect(await send({ headers: changed })).toBe('SignatureDoesNotMatch');
    await expect(get('copy')).rejects.toBeInstanceOf(NoSuchKey);
    expect(await send({ headers })).toBe(200);
    expect(await text('copy')).toBe('x');
  });
});

test('a reader of a copy gets it whole when it and its source are deleted', async () => {
  const Body = 'old '.repeat(2 * 1024 ** 2);
  await put('one', Body);
  await copy(`${Bucket}/one`, 'two');
  const found = await get('two');
  await remove('one');
  await remove('two');
  expect((await found.Body!.transformToString()) === Body).toBe(true);
  await eventually(segments).toEqual([]);
});
