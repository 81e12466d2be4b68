import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { signTestRequest } from './test-support/sign-test-request.ts';
import { Bucket, startTestStore, testCredentials } from './test-support/start-test-store.ts';

const isLinux = process.platform === 'linux';

async function serve(folder: string): Promise<{ child: ChildProcess; s3: S3Client }> {
  const script = new URL('./test-support/serve-test-store.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const settings = {
    region: 'eu-west-1',
    forcePathStyle: true,
    credentials: testCredentials,
    maxAttempts: 1,
  };
  return { child, s3: new S3Client({ ...settings, endpoint: line.toString().trim() }) };
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-files-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openStoreFiles(folder: string): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(`${folder}/${Bucket}`));
}

describe('a store that is killed', () => {
  test('has every object that it acknowledged, whole, and nothing half written', async () => {
    const folder = await newFolder();
    const { child, s3 } = await serve(folder);
    const acknowledged = new Map<string, number>();
    const bodyOf = (key: string, version: number) => `${key}:${version}:`.repeat(3_000);
    const write = async (key: string) => {
      for (let version = 1; ; version++) {
        await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: bodyOf(key, version) }));
        acknowledged.set(key, version);
        const total = [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
        if (total >= 120) child.kill('SIGKILL');
      }
    };
    const writers = Array.from({ length: 6 }, (_, i) => write(`key ${i}`));
    await Promise.allSettled(writers);

    await using store = await startTestStore({ folder });
    for (const [key, version] of acknowledged) {
      const { Body } = await store.s3.send(new GetObjectCommand({ Bucket, Key: key }));
      const found = await Body!.transformToString();
      // The write in flight at the kill may have been committed with its answer unsent.
      expect([bodyOf(key, version), bodyOf(key, version + 1)]).toContain(found);
    }
    const { KeyCount } = await store.s3.send(new ListObjectsV2Command({ Bucket }));
    expect(await readdir(`${store.folder}/${Bucket}/segments`)).toHaveLength(KeyCount!);
    expect(await readdir(`${store.folder}/${Bucket}/objects`)).toHaveLength(KeyCount!);
  });
});

test('a store that is killed has every copy that it acknowledged, and every copy whole', async () => {
  const folder = await newFolder();
  const { child, s3 } = await serve(folder);
  const bodyOf = (version: number) => `${version}:`.repeat(3_000);
  const acknowledged: string[] = [];
  const copy = async (writer: number) => {
    const source = `source ${writer}`;
    for (let version = 1; ; version++) {
      await s3.send(new PutObjectCommand({ Bucket, Key: source, Body: bodyOf(version) }));
      const Key = `copy ${writer} ${version}`;
      await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: encodeURI(`${Bucket}/${source}`) }));
      if (acknowledged.push(Key) >= 60) child.kill('SIGKILL');
    }
  };
  await Promise.allSettled([1, 2, 3, 4].map(copy));

  await using store = await startTestStore({ folder });
  const { Contents = [] } = await store.s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'copy ' }));
  const copies = Contents.map(({ Key }) => Key!);
  expect(copies).toEqual(expect.arrayContaining(acknowledged));
  for (const Key of copies) {
    const { Body } = await store.s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body!.transformToString()).toBe(bodyOf(Number(Key.split(' ').at(-1))));
  }
});

describe('a client that leaves', () => {
  test.skipIf(!isLinux)('in the middle of a download leaves no file open', async () => {
    await using store = await startTestStore();
    const Body = Buffer.alloc(8 * 1024 ** 2, 'x');
    await store.s3.send(new PutObjectCommand({ Bucket, Key: 'large', Body }));
    for (let i = 0; i < 10; i++) {
      const found = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'large' }));
      const body = found.Body as Readable;
      await once(body, 'readable');
      body.destroy();
      (found.Body as unknown as { source?: Readable }).source?.destroy();
    }
    await store.s3.send(new DeleteObjectCommand({ Bucket, Key: 'large' }));
    await eventually(() => openStoreFiles(store.folder)).toEqual([]);
    await eventually(() => readdir(`${store.folder}/${Bucket}/segments`)).toEqual([]);
    expect(store.errors).toEqual([]);
  });

  test('in the middle of an upload leaves nothing on disk', async () => {
    await using store = await startTestStore();
    const url = new URL(`${store.endpoint}/${Bucket}/cut`);
    const { headers } = signTestRequest('PUT', url, 'UNSIGNED-PAYLOAD', {});
    const segments = `${store.folder}/${Bucket}/segments`;
    const upload = request(url, { method: 'PUT', headers: { ...headers, 'content-length': 1_000_000 } });
    upload.on('error', () => undefined);
    upload.write(Buffer.alloc(100_000));
    await eventually(() => readdir(segments)).toHaveLength(1);
    upload.destroy();
    await eventually(() => readdir(segments)).toEqual([]);
    expect(store.errors).toEqual([]);
  });
});

test('a reader who began before an overwrite and a deletion gets what it began with', async () => {
  await using store = await startTestStore();
  const Body = Buffer.alloc(8 * 1024 ** 2, 'old ');
  await store.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body }));
  const found = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'k' }));
  await store.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'new' }));
  await store.s3.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
  expect(Body.equals(await found.Body!.transformToByteArray())).toBe(true);
  await eventually(() => readdir(`${store.folder}/${Bucket}/segments`)).toEqual([]);
});

test.skipIf(!isLinux)('120 MB go in as parts and out again without being held in memory', async () => {
  const { child, s3 } = await serve(await newFolder());
  const peakKilobytes = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
  };
  const Body = Buffer.alloc(10 * 1024 ** 2, 'part');
  const transfer = async (Key: string, count: number) => {
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const Parts: { PartNumber: number; ETag: string }[] = [];
    const numbers = Array.from({ length: count }, (_, i) => i + 1).values();
    const uploadRest = async () => {
      for (const PartNumber of numbers) {
        const part = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
        Parts.push({ PartNumber, ETag: part.ETag! });
      }
    };
    await Promise.all([uploadRest(), uploadRest(), uploadRest()]);
    Parts.sort((left, right) => left.PartNumber - right.PartNumber);
    await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
    let bytes = 0;
    const found = await s3.send(new GetObjectCommand({ Bucket, Key }));
    for await (const chunk of found.Body as Readable) bytes += chunk.length;
    expect(bytes).toBe(count * Body.length);
  };
  await transfer('warm', 1);
  const before = await peakKilobytes();
  await transfer('large', 12);
  // Garbage that has not been collected takes 30 to 40 MB, whatever the size of the upload.
  expect((await peakKilobytes()) - before).toBeLessThan(64 * 1024);
});
