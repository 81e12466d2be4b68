import {
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRefused } from '../../test/support/aws-rules/hold-commands.ts';
import { Bucket, startTestStore, type TestStore } from './test-support/start-test-store.ts';

const keys = ['a', 'a/', 'a/1', 'a/2/x', 'a/2/y', 'a0', 'b/1', 'b/2', '\ue000', '😀', 'é'];

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
  await Promise.all(keys.map((Key) => store.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }))));
});
afterAll(() => store[Symbol.asyncDispose]());

const list = (more: Partial<ListObjectsV2CommandInput>) =>
  store.s3.send(new ListObjectsV2Command({ Bucket, ...more }));

async function listAll(more: Partial<ListObjectsV2CommandInput>): Promise<string[]> {
  const entries: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await list({ ...more, ...(ContinuationToken && { ContinuationToken }) });
    const pageEntries = (page.Contents ?? []).map(({ Key }) => Key!);
    expect(page.KeyCount).toBe(pageEntries.length);
    if (more.MaxKeys) expect(pageEntries.length).toBeLessThanOrEqual(more.MaxKeys);
    entries.push(...pageEntries);
    ContinuationToken = page.NextContinuationToken;
    expect(page.IsTruncated).toBe(ContinuationToken !== undefined);
  } while (ContinuationToken);
  return entries;
}

/** The SDK's XML parser takes text that is all white space with a line feed for indentation. */
const asTheSdkReadsIt = (key: string) => (key.trim() === '' && key.includes('\n') ? '' : key);

const byBytes = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

describe('a listing', () => {
  test('is in the order of the keys’ UTF-8 bytes, with size and tag', async () => {
    const { Contents } = await list({});
    expect(Contents?.map(({ Key }) => Key)).toEqual([...keys].sort(byBytes));
    expect(Contents?.find(({ Key }) => Key === 'a')).toMatchObject({
      Size: 1,
      ETag: '"0cc175b9c0f1b6a831c399e269772661"',
    });
  });

  test('may be limited to a prefix', async () => {
    expect(await listAll({ Prefix: 'a/' })).toEqual(['a/', 'a/1', 'a/2/x', 'a/2/y']);
    expect(await listAll({ Prefix: 'none' })).toEqual([]);
  });

  test.each([1, 2, 3, 7])('in pages of %i has every entry once', async (MaxKeys) => {
    expect((await listAll({ MaxKeys })).sort()).toEqual([...keys].sort());
  });

  test('refuses a token that it did not give', async () => {
    await expect(list({ ContinuationToken: '***' })).rejects.toMatchObject({ name: 'InvalidArgument' });
  });
});

describe('keys', () => {
  const hostile = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            '..',
            '.',
            '',
            'con',
            'a',
            '~',
            '%2e%2e',
            '\u0000',
            '\r\n',
            '\\',
            '&',
            '<',
            '?x',
            '#',
            '+',
            ' ',
          ),
          { minLength: 1, maxLength: 8 },
        )
        .map((parts) => parts.join('/')),
      fc.constantFrom('k'.repeat(1024), '😀'.repeat(256), '__proto__', 'constructor', 'bucket.json'),
    )
    .filter((key) => key !== '' && Buffer.byteLength(key) <= 1024);

  test('of any characters are kept apart, listed as they are, and survive a restart', async () => {
    await using own = await startTestStore();
    const all = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(hostile, { minLength: 1, maxLength: 6 }), async (tried) => {
        for (const Key of tried)
          await own.s3.send(new PutObjectCommand({ Bucket, Key, Body: `body of ${Key}` }));
        for (const key of tried) all.add(key);
        for (const Key of tried) {
          const { Body } = await own.s3.send(new GetObjectCommand({ Bucket, Key }));
          expect(await Body!.transformToString()).toBe(`body of ${Key}`);
        }
        const { Contents } = await own.s3.send(new ListObjectsV2Command({ Bucket }));
        expect(Contents!.map(({ Key }) => Key)).toEqual([...all].sort(byBytes).map(asTheSdkReadsIt));
      }),
      { numRuns: 20 },
    );
    const before = await own.s3.send(new ListObjectsV2Command({ Bucket }));
    await own.restart();
    const after = await own.s3.send(new ListObjectsV2Command({ Bucket }));
    expect(after.Contents).toEqual(before.Contents);
    expect(own.errors).toEqual([]);
  });

  test('of more than 1,024 bytes are refused', async () => {
    const command = new PutObjectCommand({ Bucket, Key: 'é'.repeat(513), Body: 'x' });
    const refused = sendRefused(() => store.s3.send(command));
    await expect(refused).rejects.toMatchObject({ name: 'KeyTooLongError' });
  });
});
