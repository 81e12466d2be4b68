import {
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signTestRequest } from './test-support/sign-test-request.ts';
import { Bucket, startTestStore, type TestStore, testCredentials } from './test-support/start-test-store.ts';

let now = Date.now();
let store: TestStore;
beforeAll(async () => {
  store = await startTestStore({ clock: () => now });
  await store.s3.send(new PutObjectCommand({ Bucket, Key: 'a key/ü', Body: 'hello' }));
});
afterAll(() => store[Symbol.asyncDispose]());

const later = async (seconds: number, act: () => Promise<void>) => {
  const before = now;
  now += seconds * 1000;
  try {
    await act();
  } finally {
    now = before;
  }
};

/** Status and S3's code of a refusal, or `ok`. */
async function outcome(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init);
  const body = await response.text();
  if (response.ok) return 'ok';
  return `${response.status} ${/<Code>(\w+)<\/Code>/.exec(body)?.[1]}: ${/<Message>([^<]+)/.exec(body)?.[1]}`;
}

const getCommand = new GetObjectCommand({ Bucket, Key: 'a key/ü', ResponseContentDisposition: 'attachment' });

describe('signed headers', () => {
  test.each([
    ['another secret', { ...testCredentials, secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
    ['another key id', { ...testCredentials, accessKeyId: 'AKIAOTHER' }, 'InvalidAccessKeyId'],
  ])('of %s are refused', async (_, credentials, name) => {
    const client = store.client({ credentials });
    await expect(client.send(getCommand)).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 403 } });
    await expect(
      client.send(new PutObjectCommand({ Bucket, Key: 'intruder', Body: 'x' })),
    ).rejects.toMatchObject({ name });
    await expect(store.s3.send(new GetObjectCommand({ Bucket, Key: 'intruder' }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
  });

  test.each([-16 * 60, 16 * 60])('from a clock that is %i s off are refused', (seconds) =>
    later(seconds, async () => {
      await expect(store.client().send(getCommand)).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' });
    }),
  );

  test('of any region pass', async () => {
    const { Body } = await store.client({ region: 'us-west-2' }).send(getCommand);
    expect(await Body!.transformToString()).toBe('hello');
  });

  test('do not cover what was changed on the way', async () => {
    const client = store.client();
    client.middlewareStack.add(
      (next) => (step) => {
        const request = step.request as { headers: Record<string, string> };
        request.headers['x-amz-meta-role'] = 'admin';
        return next(step);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    const put = new PutObjectCommand({ Bucket, Key: 'changed', Body: 'x', Metadata: { role: 'reader' } });
    await expect(client.send(put)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    const added = new PutObjectCommand({ Bucket, Key: 'changed', Body: 'x' });
    await expect(client.send(added)).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('are required for every read', async () => {
    expect(await outcome(`${store.endpoint}/${Bucket}/a%20key/%C3%BC`)).toBe(
      '403 AccessDenied: Access Denied',
    );
    expect(await outcome(`${store.endpoint}/`)).toBe('403 AccessDenied: Access Denied');
    const headers = { authorization: 'AWS4-HMAC-SHA256 nonsense' };
    expect(await outcome(`${store.endpoint}/${Bucket}/x`, { headers })).toMatch(
      '400 AuthorizationHeaderMalformed',
    );
  });
});

describe('a presigned link', () => {
  test('reads, with the headers it was made for, until it expires', async () => {
    const url = await getSignedUrl(store.s3, getCommand, { expiresIn: 60 });
    const response = await fetch(url);
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(await response.text()).toBe('hello');
    await later(59, async () => expect(await outcome(url)).toBe('ok'));
    await later(62, async () => expect(await outcome(url)).toBe('403 AccessDenied: Request has expired'));
    await later(-16 * 60, async () =>
      expect(await outcome(url)).toBe('403 AccessDenied: Request is not yet valid'),
    );
  });

  test.each<[string, (url: URL) => void]>([
    [
      'its path',
      (url) => {
        url.pathname = `/${Bucket}/other`;
      },
    ],
    ['its expiry', (url) => url.searchParams.set('X-Amz-Expires', '6000')],
    ['its disposition', (url) => url.searchParams.set('response-content-disposition', 'inline')],
    ['a parameter that was not there', (url) => url.searchParams.set('response-content-type', 'text/html')],
    ['its signature', (url) => url.searchParams.set('X-Amz-Signature', 'f'.repeat(64))],
  ])('with %s changed is refused', async (_, change) => {
    const url = new URL(await getSignedUrl(store.s3, getCommand, { expiresIn: 60 }));
    change(url);
    expect(await outcome(url.href)).toMatch('403 SignatureDoesNotMatch');
  });

  test('allows its own method alone', async () => {
    const url = await getSignedUrl(store.s3, getCommand, { expiresIn: 60 });
    expect(await outcome(url, { method: 'DELETE' })).toMatch('403 SignatureDoesNotMatch');
    expect(await outcome(url, { method: 'PUT', body: 'x' })).toMatch('403 SignatureDoesNotMatch');
  });

  test('is refused if it claims to live over a week, or is no link at all', async () => {
    const url = new URL(await getSignedUrl(store.s3, getCommand, { expiresIn: 60 }));
    url.searchParams.set('X-Amz-Expires', '604801');
    expect(await outcome(url.href)).toMatch('400 AuthorizationQueryParametersError');
    expect(await outcome(`${store.endpoint}/${Bucket}/x?X-Amz-Signature=f`)).toMatch(
      '400 AuthorizationQuery',
    );
  });

  test('to write takes just the size and type it was made for', async () => {
    const command = new PutObjectCommand({
      Bucket,
      Key: 'bound',
      ContentLength: 5,
      ContentType: 'text/plain',
    });
    const signableHeaders = new Set(['content-length', 'content-type']);
    const url = await getSignedUrl(store.s3, command, { expiresIn: 60, signableHeaders });
    const type = { 'content-type': 'text/plain' };
    expect(await outcome(url, { method: 'PUT', body: 'longer', headers: type })).toMatch(
      '403 SignatureDoesNotMatch',
    );
    expect(await outcome(url, { method: 'PUT', body: 'four', headers: type })).toMatch(
      '403 SignatureDoesNotMatch',
    );
    const html = { 'content-type': 'text/html' };
    expect(await outcome(url, { method: 'PUT', body: 'hello', headers: html })).toMatch(
      '403 SignatureDoesNotMatch',
    );
    const added = { ...type, 'x-amz-meta-role': 'admin' };
    expect(await outcome(url, { method: 'PUT', body: 'hello', headers: added })).toMatch('403 AccessDenied');
    await expect(store.s3.send(new GetObjectCommand({ Bucket, Key: 'bound' }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
    expect(await outcome(url, { method: 'PUT', body: 'hello', headers: type })).toBe('ok');
    const found = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'bound' }));
    expect(found).toMatchObject({ ContentLength: 5, ContentType: 'text/plain' });
  });

  test('to write makes no copy of what its holder may not read', async () => {
    const url = await getSignedUrl(store.s3, new PutObjectCommand({ Bucket, Key: 'copied' }), {
      expiresIn: 60,
    });
    const headers = { 'x-amz-copy-source': source };
    expect(await outcome(url, { method: 'PUT', headers })).toMatch('403 AccessDenied');
    const asked = `${url}&x-amz-copy-source=${encodeURIComponent(source)}`;
    expect(await outcome(asked, { method: 'PUT' })).toMatch('403 SignatureDoesNotMatch');
    const { Contents = [] } = await store.s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'copied' }));
    expect(Contents).toEqual([]);
  });

  test('to write, made with the SDK’s defaults, is not held to the checksum of the body it had not yet', async () => {
    const url = await getSignedUrl(store.s3, new PutObjectCommand({ Bucket, Key: 'default' }), {
      expiresIn: 60,
    });
    expect(url).toMatch('x-amz-checksum-crc32=AAAAAA');
    expect(await outcome(url, { method: 'PUT', body: 'hello' })).toBe('ok');
  });

  test('to write carries its metadata; a part has one too', async () => {
    const s3 = store.client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
    const command = new PutObjectCommand({ Bucket, Key: 'linked', Metadata: { a: 'b' } });
    const url = await getSignedUrl(s3, command, { expiresIn: 60 });
    expect(await outcome(url, { method: 'PUT', body: 'hello' })).toBe('ok');
    expect((await s3.send(new GetObjectCommand({ Bucket, Key: 'linked' }))).Metadata).toEqual({ a: 'b' });
    const part = new UploadPartCommand({ Bucket, Key: 'linked', UploadId: 'none', PartNumber: 1 });
    expect(await outcome(await getSignedUrl(s3, part), { method: 'PUT', body: 'x' })).toMatch(
      '404 NoSuchUpload',
    );
  });
});

const object = { Bucket, Key: 'a key/ü' };
const source = `${Bucket}/a%20key/%C3%BC`;
const copyOf = (CopySource: string, more: Partial<CopyObjectCommandInput> = {}) =>
  new CopyObjectCommand({ Bucket, Key: 'a key copied', CopySource, ...more });
const rule = { Status: 'Enabled', Filter: { Prefix: '' }, Expiration: { Days: 1 } } as const;

test.each([
  ['a copy from another bucket', copyOf('elsewhere/a'), 'NotImplemented'],
  ['a copy of a version', copyOf(`${source}?versionId=1`), 'NotImplemented'],
  ['a copy with other metadata', copyOf(source, { MetadataDirective: 'REPLACE' }), 'NotImplemented'],
  ['a copy under a condition', copyOf(source, { CopySourceIfMatch: '*' }), 'NotImplemented'],
  ['a copy of nothing', copyOf(Bucket), 'InvalidArgument'],
  ['a copy onto itself', copyOf(source, { Key: object.Key }), 'InvalidRequest'],
  [
    'a copied part',
    new UploadPartCopyCommand({ ...object, CopySource: source, UploadId: 'x', PartNumber: 1 }),
    'MethodNotAllowed',
  ],
  ['a write under a condition', new PutObjectCommand({ ...object, IfNoneMatch: '*' }), 'NotImplemented'],
  ['an access list', new PutObjectCommand({ ...object, ACL: 'public-read' }), 'NotImplemented'],
  ['another checksum', new PutObjectCommand({ ...object, ChecksumAlgorithm: 'SHA256' }), 'NotImplemented'],
  ['tags', new PutObjectTaggingCommand({ ...object, Tagging: { TagSet: [] } }), 'NotImplemented'],
  ['folders', new ListObjectsV2Command({ Bucket, Delimiter: '/' }), 'NotImplemented'],
  ['a list of parts', new ListPartsCommand({ ...object, UploadId: 'x' }), 'MethodNotAllowed'],
  ['a new bucket', new CreateBucketCommand({ Bucket: 'another' }), 'MethodNotAllowed'],
  ['a policy', new PutBucketPolicyCommand({ Bucket, Policy: '{}' }), 'NotImplemented'],
  [
    'other rules',
    new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [rule] } }),
    'NotImplemented',
  ],
  ['the list of buckets', new ListBucketsCommand({}), 'MethodNotAllowed'],
])('a request for %s is refused, not half done', async (_, command, name) => {
  await expect(store.client().send(command as PutObjectCommand)).rejects.toMatchObject({ name });
  const { Contents } = await store.s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'a key' }));
  expect(Contents).toMatchObject([{ Key: object.Key, Size: 5 }]);
});

test('a body in signed chunks, which the SDK does not send, is refused', async () => {
  const url = new URL(`${store.endpoint}/${Bucket}/chunked`);
  const hash = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
  const { headers } = signTestRequest('PUT', url, hash, { 'x-amz-decoded-content-length': '5' });
  expect(await outcome(url.href, { method: 'PUT', headers, body: 'hello' })).toMatch('501 NotImplemented');
});
