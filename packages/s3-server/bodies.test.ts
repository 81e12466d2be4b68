import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sha256, signTestRequest } from './test-support/sign-test-request.ts';
import { Bucket, startTestStore, type TestStore, testCredentials } from './test-support/start-test-store.ts';
import { decodeAwsChunked } from './wire/aws-chunked.ts';

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  expect(store.errors).toEqual([]);
});

const put = (Key: string, Body: string | Buffer | Readable, more: Partial<PutObjectCommandInput> = {}) =>
  store.s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const bytes = async (Key: string) =>
  Buffer.from(
    await (await store.s3.send(new GetObjectCommand({ Bucket, Key }))).Body!.transformToByteArray(),
  );
const missing = (Key: string) =>
  expect(store.s3.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'NoSuchKey' });

describe('the SDK’s ways to send a body', () => {
  test('a stream travels in chunks with its checksum behind it, and is stored without them', async () => {
    const body = randomBytes(300_000);
    const pieces = [body.subarray(0, 1), body.subarray(1, 70_000), body.subarray(70_000)];
    await put('streamed', Readable.from(pieces), { ContentLength: body.length, ContentEncoding: 'gzip' });
    const found = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'streamed' }));
    expect(found).toMatchObject({ ContentEncoding: 'gzip' });
    expect(Buffer.from(await found.Body!.transformToByteArray()).equals(body)).toBe(true);
  });

  test('a CRC32 is checked', async () => {
    await put('summed', 'what was sent');
    expect((await bytes('summed')).toString()).toBe('what was sent');
    const wrong = put('wrong', 'what was sent', { ChecksumCRC32: 'AAAAAA==' });
    await expect(wrong).rejects.toMatchObject({ name: 'BadDigest' });
    await missing('wrong');
  });

  test('an MD5 is checked', async () => {
    const ContentMD5 = createHash('md5').update('sent').digest('base64');
    await put('md5', 'sent', { ContentMD5 });
    await expect(put('md5', 'other', { ContentMD5 })).rejects.toMatchObject({ name: 'BadDigest' });
    await expect(put('md5', 'other', { ContentMD5: 'AA==' })).rejects.toMatchObject({
      name: 'InvalidDigest',
    });
    expect((await bytes('md5')).toString()).toBe('sent');
  });

  test('a large body waits for the server’s word, and a refused one is not sent', async () => {
    const body = Buffer.alloc(3 * 1024 ** 2, 'x');
    await put('large', body);
    expect((await bytes('large')).equals(body)).toBe(true);
    const intruder = store.client({ credentials: { ...testCredentials, secretAccessKey: 'wrong' } });
    await expect(intruder.send(new PutObjectCommand({ Bucket, Key: 'x', Body: body }))).rejects.toMatchObject(
      {
        name: 'SignatureDoesNotMatch',
      },
    );
  });
});

/** Sends a PUT without the SDK. Returns `ok` or S3's code. */
async function rawPut(
  key: string,
  payloadHash: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const url = new URL(`${store.endpoint}/${Bucket}/${key}`);
  const request = signTestRequest('PUT', url, payloadHash, headers);
  const response = await fetch(url, { method: 'PUT', headers: request.headers, body });
  const text = await response.text();
  return response.ok ? 'ok' : (/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? text);
}

const decodedLength = (length: number) => ({ 'x-amz-decoded-content-length': String(length) });

describe('other clients’ bodies', () => {
  test('a body is held to its signed hash', async () => {
    expect(await rawPut('hashed', sha256('hello'), 'hello')).toBe('ok');
    expect(await rawPut('unhashed', 'UNSIGNED-PAYLOAD', 'hello')).toBe('ok');
    expect(await rawPut('other', sha256('hello'), 'HELLO')).toBe('XAmzContentSHA256Mismatch');
    expect(await rawPut('other', 'whatever', 'HELLO')).toBe('InvalidArgument');
    await missing('other');
  });

  test.each([
    ['a missing trailer', '5\r\nhello\r\n0\r\n\r\n', 'BadDigest'],
    ['another checksum', '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n', 'BadDigest'],
    ['another length', '4\r\nhell\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n', 'IncompleteBody'],
    ['a longer body', '6\r\nhello!\r\n0\r\n\r\n', 'IncompleteBody'],
    ['no last chunk', '5\r\nhello\r\n', 'IncompleteBody'],
    ['no sizes', 'hello\r\n', 'InvalidRequest'],
    [
      'bytes behind its end',
      '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\nmore',
      'InvalidRequest',
    ],
    ['an endless line', 'a'.repeat(100_000), 'InvalidRequest'],
  ])('an unsigned chunked body with %s is refused', async (_, body, code) => {
    const headers = { ...decodedLength(5), 'x-amz-trailer': 'x-amz-checksum-crc32' };
    expect(await rawPut('broken', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', body, headers)).toBe(code);
    await missing('broken');
  });

  test('a client that is still sending is told why its body is refused', async () => {
    const url = new URL(`${store.endpoint}/${Bucket}/early`);
    const hash = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
    const { headers } = signTestRequest('PUT', url, hash, decodedLength(1_000_000));
    const upload = request(url, { method: 'PUT', headers });
    onTestFinished(() => void upload.destroy());
    upload.write('no size of a chunk\r\n');
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    expect(Buffer.concat(await response.toArray()).toString()).toMatch('<Code>InvalidRequest</Code>');
  });

  test('a chunked body whose length nobody names is refused', async () => {
    const hash = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
    expect(await rawPut('unsized', hash, '0\r\n\r\n')).toBe('MissingContentLength');
  });
});

test('a chunked body is decoded the same however the network cuts it', async () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      pieces,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (chunks, cuts) => {
        const frames = chunks.flatMap((chunk) => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n']);
        const encoded = Buffer.concat(
          [...frames, '0\r\nx-a: b\r\n\r\n'].map((part) => Buffer.from(part as string)),
        );
        async function* network() {
          for (let at = 0, i = 0; at < encoded.length; i++) {
            const size = cuts[i % cuts.length]!;
            yield encoded.subarray(at, at + size);
            at += size;
          }
        }
        const trailer = new Map<string, string>();
        const decoded = await Readable.from(decodeAwsChunked(network(), trailer)).toArray();
        expect(Buffer.concat(decoded)).toEqual(Buffer.concat(chunks));
        expect(trailer).toEqual(new Map([['x-a', 'b']]));
      },
    ),
  );
});
