import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { longText } from '../flows/support/long-texts.ts';
import { type FilesCall, wrapFiles } from '../support/files.ts';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type InProcess, inProcess } from './in-process.ts';
import { formOf, openBucket, type TestBucket } from './support.ts';

let provider: Provider;
let service: TestService;
let bucket: TestBucket;

useService((started) => ({ provider, service } = started));
beforeAll(async () => {
  bucket = await openBucket(service);
});

afterAll(() => bucket.close());

afterEach(async () => {
  expect(await bucket.keys()).toEqual([]);
});

const text = longText(1_000_000);
const form = () => formOf(['question', 'When?'], ['file', { name: 'tome.txt', bytes: text }]);
const keepsMaterial = ({ method, key }: FilesCall) => method === 'put' && key.includes('material');

/** Calls `kept` when the text of a file has been kept for its run. */
function onKept({ deps }: InProcess, kept: () => void): void {
  wrapFiles(deps.files, async (call, work) => {
    const done = await work();
    if (keepsMaterial(call)) kept();
    return done;
  });
}

test('the stored text of a file is deleted if its client goes away', async () => {
  const parts = await inProcess(service, { provider: provider.baseUrl });
  const client = new AbortController();
  onKept(parts, () => client.abort());
  expect(await parts.send(form(), client.signal)).toMatchObject({
    status: 502,
    body: 'The client has gone.',
  });
  expect(client.signal.aborted).toBe(true);
});

test('the stored text of a file is deleted if the run cannot be queued', async () => {
  const queueUrl = 'http://127.0.0.1:1/000000000000/none';
  const parts = await inProcess(service, { provider: provider.baseUrl, queueUrl });
  let kept = 0;
  onKept(parts, () => kept++);
  expect((await parts.send(form())).status).toBe(503);
  expect(kept).toBe(1);
});

test("a file that cannot be stored is a 503, also if only the bucket's answer was lost", async () => {
  for (const when of ['before', 'after'] as const) {
    const parts = await inProcess(service, { provider: provider.baseUrl });
    wrapFiles(parts.deps.files, async (call, work) => {
      if (keepsMaterial(call) && when === 'before') throw new Error('broken on purpose');
      const done = await work();
      if (keepsMaterial(call)) throw new Error('broken on purpose');
      return done;
    });
    expect((await parts.send(form())).status).toBe(503);
  }
});

test('a file that cannot be read is a 502, and nothing of it stays', async () => {
  const parts = await inProcess(service, { provider: provider.baseUrl });
  const broken = formOf(['question', 'When?'], ['file', { name: 'tome.pdf', bytes: '%PDF-1.4 nothing' }]);
  expect((await parts.send(broken)).status).toBe(502);
});

test('the text of an uploaded file is kept for the request that takes it after another has failed', async () => {
  const first = await inProcess(service, { provider: provider.baseUrl });
  const second = await inProcess(service, { provider: provider.baseUrl });
  const { body } = await first.post('/v1/uploads', { filename: 'a.txt', size: text.length });
  const { uploadId, url, headers } = JSON.parse(body) as Record<'uploadId' | 'url', string> & {
    headers: Record<string, string>;
  };
  expect((await fetch(url, { method: 'PUT', headers, body: text })).status).toBe(200);
  const request = { question: 'When?', uploadId };
  const order: string[] = [];
  wrapFiles(first.deps.files, async (call, work) => {
    if (keepsMaterial(call)) throw new Error('broken on purpose');
    if (call.method === 'delete' && call.key.includes('material')) {
      // The file is not given up before its text is gone: another request is refused until then.
      order.push(`${(await second.post('/v1/agents/runs', request)).status}`);
    }
    return work();
  });
  order.push(`${(await first.post('/v1/agents/runs', request)).status}`);
  expect(order).toEqual(['400', '503']);
  const taken = await second.post('/v1/agents/runs', request);
  expect(taken.status).toBe(202);
  const { agentId } = JSON.parse(taken.body) as { agentId: string };
  expect((await bucket.keys()).filter((key) => key.includes('material'))).toHaveLength(1);
  await service.follow(agentId);
  await service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' });
});
