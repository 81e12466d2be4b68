import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { inProcess } from './in-process.ts';
import { type FormEntry, formOf, openBucket, png, type TestBucket } from './support.ts';

let provider: Provider;
let service: TestService;
let bucket: TestBucket;

useService((started) => ({ provider, service } = started));
beforeAll(async () => {
  bucket = await openBucket(service);
});

afterAll(() => bucket.close());

const question: FormEntry = ['question', 'What is it?'];
const image = () => formOf(question, ['file', { name: 'dot.png', bytes: png }]);
const recording = (bytes: number) =>
  formOf(question, ['file', { name: 'a.mp3', bytes: Buffer.alloc(bytes) }]);
const unavailable = { status: 503, body: 'Temporary file storage is unavailable' };
const closedPort = 'http://127.0.0.1:1';

describe('whatever fails, no object, run or charge is left', () => {
  afterEach(async () => {
    expect(await bucket.uploads()).toEqual([]);
    expect(await (await service.request('/v1/agents/runs')).json()).toEqual({ runs: [] });
  });

  test('a bucket that cannot be reached is a 503', async () => {
    const broken = await inProcess(service, { provider: provider.baseUrl, s3: closedPort });
    expect(await broken.send(image())).toMatchObject(unavailable);
    const { body } = await broken.post('/v1/uploads', { filename: 'a.png', size: 1 });
    const { uploadId } = JSON.parse(body) as { uploadId: string };
    expect(await broken.post('/v1/agents/runs', { question: 'Q', uploadId })).toMatchObject(unavailable);
  });

  test.each([
    ['put', 1, 'before', 1_000],
    ['put', 1, 'after', 1_000],
    ['open', 1, 'before', 1_000],
    ['startMultipart', 1, 'before', 16_000_000],
    ['send', 1, 'before', 16_000_000],
    ['send', 2, 'after', 16_000_000],
    ['send', 4, 'before', 16_000_000],
    ['complete', 1, 'before', 16_000_000],
    ['complete', 1, 'after', 16_000_000],
  ] as const)('%s failing from call %i on, %s its work, is a 503', async (method, from, when, bytes) => {
    const broken = await inProcess(service, { provider: provider.baseUrl });
    broken.failFiles(method, from, when);
    expect(await broken.send(recording(bytes))).toMatchObject(unavailable);
  });

  test('a queue that does not take the message is a 503', async () => {
    const queueUrl = `${closedPort}/000000000000/none`;
    const broken = await inProcess(service, { provider: provider.baseUrl, queueUrl });
    provider.script(() => ({ text: 'grey' }));
    expect(await broken.send(image())).toMatchObject({
      status: 503,
      body: 'Agent service is unavailable. Please retry.',
    });
  });

  test('a vision model that cannot be reached is a 502', async () => {
    const broken = await inProcess(service, { provider: `${closedPort}/v1` });
    expect(await broken.send(image())).toMatchObject({
      status: 502,
      body: 'The vision model could not be reached.',
    });
  });

  test('reading that takes too long is a 502', async () => {
    const slow = await inProcess(service, { provider: provider.baseUrl, readMilliseconds: 200 });
    provider.script(() => 'hang');
    expect(await slow.send(image())).toMatchObject({
      status: 502,
      body: 'The file could not be read within 0.2 seconds.',
    });
  });

  test('a client that goes away while its image is looked at is not waited for', async () => {
    const parts = await inProcess(service, { provider: provider.baseUrl });
    const client = new AbortController();
    provider.script(() => {
      client.abort();
      return 'hang';
    });
    expect(await parts.send(image(), client.signal)).toMatchObject({
      status: 502,
      body: 'The client has gone.',
    });
  });
});

test('an uploaded file can be used again after the queue failed', async () => {
  const parts = await inProcess(service, { provider: provider.baseUrl });
  const queueUrl = `${closedPort}/000000000000/none`;
  const broken = await inProcess(service, { provider: provider.baseUrl, queueUrl });
  const { body } = await parts.post('/v1/uploads', { filename: 'a.txt', size: 4 });
  const { uploadId, url, headers } = JSON.parse(body) as {
    uploadId: string;
    url: string;
    headers: Record<string, string>;
  };
  expect((await fetch(url, { method: 'PUT', headers, body: 'text' })).status).toBe(200);
  const request = { question: 'Read it', uploadId };
  expect((await broken.post('/v1/agents/runs', request)).status).toBe(503);
  expect((await parts.post('/v1/agents/runs', request)).status).toBe(202);
});
