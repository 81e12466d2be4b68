import type { Readable } from 'node:stream';
import type { S3Client, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-s3';
import type { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { AwsSettings } from '../config.ts';
import { limits } from '../limits.ts';
import { ownTurn } from '../own-turn.ts';
import { copyTimeFor, prompt, timeFor } from './file-times.ts';
import { type MultipartUpload, startMultipartUpload } from './multipart-upload.ts';

interface PresignOptions {
  expiresInSeconds: number;
  /** Makes a browser save the answer under this name. */
  attachmentName?: string;
  contentType?: string;
}

export interface StoredFile {
  body: Readable;
  bytes: number;
  contentType: string | undefined;
}

interface ListedFile {
  key: string;
  modifiedAtMilliseconds: number;
}

/** The bucket. Its first call loads the S3 SDK, so that functions that touch no file start sooner. */
export interface Files {
  put(key: string, body: string | Uint8Array, contentType: string): Promise<void>;
  /** Undefined if there is no such object. */
  open(key: string, options?: { signal?: AbortSignal }): Promise<StoredFile | undefined>;
  /**
   * Up to `length` bytes from `offset` on: fewer where the file ends, none from its end on. Undefined if there is no such
   * object.
   */
  readRange(
    key: string,
    range: { offset: number; length: number },
    options?: { signal?: AbortSignal },
  ): Promise<Uint8Array | undefined>;
  /** Undefined if there is no such object. The array fills its buffer, which can be transferred to another thread. */
  getBytes(key: string, options?: { signal?: AbortSignal }): Promise<Uint8Array<ArrayBuffer> | undefined>;
  getText(key: string): Promise<string | undefined>;
  /** Size in bytes, or undefined if there is no such object. */
  size(key: string): Promise<number | undefined>;
  /** The objects under a prefix in the order of their keys, a page at a time: all, or the first `limit` of them. */
  list(prefix: string, options?: { limit?: number }): AsyncGenerator<ListedFile[]>;
  /** Copies an object with its content type and metadata. False if there is no such object. A large one gets time for its `bytes`. */
  copy(from: string, to: string, options?: { signal?: AbortSignal; bytes?: number }): Promise<boolean>;
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  presignGet(key: string, options: PresignOptions): Promise<string>;
  /** A link that answers HEAD as `presignGet`'s answers GET. A link is signed for one method. */
  presignHead(key: string, options: PresignOptions): Promise<string>;
  /** A PUT bound to exactly this many bytes and this content type. */
  presignPut(
    key: string,
    options: { expiresInSeconds: number; bytes: number; contentType: string },
  ): Promise<string>;
  startMultipart(key: string, contentType: string): Promise<MultipartUpload>;
}

interface LoadedSdk {
  sdk: typeof import('@aws-sdk/client-s3');
  s3: S3Client;
}

/** The bucket, and the SDK that is loaded once. */
interface Bucket {
  bucket: string;
  load(): Promise<LoadedSdk>;
}

export function createFiles(settings: AwsSettings): Files {
  let loaded: Promise<LoadedSdk> | undefined;
  const load = () => {
    loaded ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, s3: createS3Client(sdk, settings) }));
    return loaded;
  };
  const at: Bucket = { bucket: settings.bucket, load };
  return { ...readers(at), ...writers(at), ...links(at) };
}

function readers({
  bucket,
  load,
}: Bucket): Pick<Files, 'open' | 'readRange' | 'getBytes' | 'getText' | 'size' | 'list'> {
  const open: Files['open'] = async (key, { signal } = {}) => {
    const { sdk, s3 } = await load();
    try {
      const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: key });
      const found = await s3.send(command, { ...prompt, abortSignal: signal });
      return {
        body: found.Body as Readable,
        bytes: found.ContentLength ?? 0,
        contentType: found.ContentType,
      };
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined;
      throw error;
    }
  };
  const getBytes: Files['getBytes'] = async (key, options) => {
    const file = await open(key, options);
    return file && readWhole(file, options?.signal);
  };
  return {
    open,
    readRange: (key, range, options) => readRange({ bucket, load }, key, range, options),
    getBytes,
    async getText(key) {
      const bytes = await getBytes(key);
      if (bytes && bytes.length > limits.ownTurnBytes) await ownTurn();
      return bytes && Buffer.from(bytes.buffer).toString('utf8');
    },
    async size(key) {
      const { sdk, s3 } = await load();
      try {
        const command = new sdk.HeadObjectCommand({ Bucket: bucket, Key: key });
        return (await s3.send(command, prompt)).ContentLength ?? 0;
      } catch (error) {
        if (error instanceof sdk.NotFound || error instanceof sdk.NoSuchKey) return undefined;
        throw error;
      }
    },
    list: (prefix, options) => list({ bucket, load }, prefix, options),
  };
}

const mostListed = 1_000;

async function* list(
  { bucket, load }: Bucket,
  prefix: string,
  { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {},
): AsyncGenerator<ListedFile[], undefined> {
  const { sdk, s3 } = await load();
  const paging = { client: s3, pageSize: Math.min(limit, mostListed) };
  let left = limit;
  for await (const { Contents = [] } of sdk.paginateListObjectsV2(
    paging,
    { Bucket: bucket, Prefix: prefix },
    prompt,
  )) {
    const page = Contents.slice(0, left);
    yield page.map(({ Key = '', LastModified }) => ({
      key: Key,
      modifiedAtMilliseconds: LastModified?.getTime() ?? 0,
    }));
    left -= page.length;
    if (left <= 0) return;
  }
}

async function readWhole(
  { body, bytes }: StoredFile,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(bytes);
  let filled = 0;
  const stop = () => body.destroy(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      whole.set(chunk, filled);
      filled += chunk.byteLength;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return whole;
}

function writers({
  bucket,
  load,
}: Bucket): Pick<Files, 'put' | 'copy' | 'delete' | 'deletePrefix' | 'startMultipart'> {
  return {
    async put(key, body, contentType) {
      const { sdk, s3 } = await load();
      const command = { Bucket: bucket, Key: key, Body: body, ContentType: contentType };
      await s3.send(new sdk.PutObjectCommand(command), timeFor(Buffer.byteLength(body)));
    },
    async copy(from, to, { signal, bytes = 0 } = {}) {
      const { sdk, s3 } = await load();
      const source = [bucket, ...from.split('/')].map(encodeURIComponent).join('/');
      const command = new sdk.CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: source });
      try {
        await s3.send(command, { ...copyTimeFor(bytes), abortSignal: signal });
        return true;
      } catch (error) {
        // S3's model of CopyObject does not name this error.
        if ((error as Error).name === 'NoSuchKey') return false;
        throw error;
      }
    },
    async delete(key) {
      const { sdk, s3 } = await load();
      await s3.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), prompt);
    },
    async deletePrefix(prefix) {
      const { sdk, s3 } = await load();
      for (;;) {
        const { value: page } = await list({ bucket, load }, prefix).next();
        const keys = (page ?? []).map(({ key }) => ({ Key: key }));
        if (keys.length === 0) return;
        const command = { Bucket: bucket, Delete: { Objects: keys, Quiet: true } };
        await s3.send(new sdk.DeleteObjectsCommand(command), prompt);
      }
    },
    async startMultipart(key, contentType) {
      return startMultipartUpload(await load(), { Bucket: bucket, Key: key }, contentType);
    },
  };
}

function createS3Client(sdk: LoadedSdk['sdk'], settings: AwsSettings): S3Client {
  const { region, endpoints, credentials } = settings;
  return new sdk.S3Client({
    region,
    credentials,
    ...(endpoints.s3 && { endpoint: endpoints.s3, forcePathStyle: true }),
    maxAttempts: 5,
    // A presigned link would otherwise contain a checksum of the bytes, which are not known when it is made.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 2_000, socketTimeout: 60_000, throwOnRequestTimeout: true },
  });
}

interface LinkOptions {
  expiresIn: number;
  signableHeaders?: Set<string>;
}

function links({ bucket, load }: Bucket): Pick<Files, 'presignGet' | 'presignHead' | 'presignPut'> {
  const sign = async <I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    makeCommand: (sdk: LoadedSdk['sdk']) => Parameters<typeof getSignedUrl<ServiceInputTypes, I, O>>[1],
    options: LinkOptions,
  ) => {
    const { sdk, s3 } = await load();
    const presigner = await import('@aws-sdk/s3-request-presigner');
    return presigner.getSignedUrl(s3, makeCommand(sdk), options);
  };
  return {
    presignGet(key, options) {
      const object = { Bucket: bucket, Key: key, ...overrides(options) };
      return sign((sdk) => new sdk.GetObjectCommand(object), { expiresIn: options.expiresInSeconds });
    },
    presignHead(key, options) {
      const object = { Bucket: bucket, Key: key, ...overrides(options) };
      return sign((sdk) => new sdk.HeadObjectCommand(object), { expiresIn: options.expiresInSeconds });
    },
    presignPut(key, { expiresInSeconds, bytes, contentType }) {
      const object = { Bucket: bucket, Key: key, ContentLength: bytes, ContentType: contentType };
      const signableHeaders = new Set(['content-length', 'content-type']);
      return sign((sdk) => new sdk.PutObjectCommand(object), {
        expiresIn: expiresInSeconds,
        signableHeaders,
      });
    },
  };
}

/** The headers of the bucket's answer that a link sets. */
const overrides = ({ attachmentName, contentType }: PresignOptions) => ({
  ...(attachmentName && { ResponseContentDisposition: `attachment; filename="${attachmentName}"` }),
  ResponseContentType: contentType || undefined,
});

/** A range past the end is refused by S3, and read as no bytes. */
async function readRange(
  { bucket, load }: Bucket,
  key: string,
  { offset, length }: { offset: number; length: number },
  { signal }: { signal?: AbortSignal } = {},
): Promise<Uint8Array | undefined> {
  const { sdk, s3 } = await load();
  try {
    const Range = `bytes=${offset}-${offset + length - 1}`;
    const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range });
    const found = await s3.send(command, { ...prompt, abortSignal: signal });
    return await found.Body?.transformToByteArray();
  } catch (error) {
    if (error instanceof sdk.NoSuchKey) return undefined;
    if ((error as Error).name === 'InvalidRange') return new Uint8Array();
    throw error;
  }
}
