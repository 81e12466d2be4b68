import { createLog, delay, limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { wrapFiles } from '../support/files.ts';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type InProcess, inProcess } from './in-process.ts';
import { formOf } from './support.ts';

let provider: Provider;
let service: TestService;

useService((started) => ({ provider, service } = started));

const most = limits.documentsReadAtOnce;
const text = () => formOf(['question', 'What is it?'], ['file', { name: 'a.txt', bytes: 'words' }]);

/** Holds the reading of files in the bucket back until `most` of them are asked for, and counts those in work. */
function holdOpenings({ deps }: InProcess) {
  const counted = { now: 0, highest: 0 };
  const full = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  wrapFiles(deps.files, async ({ method, key }, call) => {
    if (method === 'put' && key.endsWith('material-upload')) counted.now--;
    if (method !== 'getBytes') return call();
    counted.highest = Math.max(counted.highest, ++counted.now);
    if (counted.now === most) full.resolve();
    await gate.promise;
    return call();
  });
  return { counted, full: full.promise, letGo: () => gate.resolve() };
}

test('only a few of the documents of many requests are in memory at once, and all are read', async () => {
  const parts = await inProcess(service, { provider: provider.baseUrl });
  const { counted, full, letGo } = holdOpenings(parts);
  const answers = Array.from({ length: 3 * most }, () => parts.send(text()));
  await full;
  letGo();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 202));
  expect(counted.highest).toBe(most);
});

test('a request that times out in the queue is a 503 that leaves its upload usable, and is logged', async () => {
  const stuck = await inProcess(service, { provider: provider.baseUrl });
  const { full, letGo } = holdOpenings(stuck);
  const holding = Array.from({ length: most }, () => stuck.send(text()));
  await full;
  const lines: Record<string, unknown>[] = [];
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  const busy = await inProcess(service, { provider: provider.baseUrl, readMilliseconds: 200, log });
  const announced = await busy.post('/v1/uploads', { filename: 'a.txt', size: 5 });
  const { uploadId, url, headers } = JSON.parse(announced.body) as {
    uploadId: string;
    url: string;
    headers: Record<string, string>;
  };
  expect((await fetch(url, { method: 'PUT', headers, body: 'words' })).status).toBe(200);
  const request = { question: 'What is it?', uploadId };
  const refused = await busy.post('/v1/agents/runs', request);
  expect(refused).toMatchObject({ status: 503, body: 'Agent service is unavailable. Please retry.' });
  expect(refused.headers.get('Retry-After')).toBe('5');
  const late = lines.filter(({ message }) => message === 'upload not read in time');
  expect(late).toEqual([
    expect.objectContaining({ accountId: service.accountId, requestId: expect.any(String) }),
  ]);
  expect(Number(late[0]!.waitedMilliseconds)).toBeGreaterThan(Number(late[0]!.workedMilliseconds));
  letGo();
  expect((await Promise.all(holding)).map(({ status }) => status)).toEqual(holding.map(() => 202));
  expect((await stuck.post('/v1/agents/runs', request)).status).toBe(202);
});

test.each([
  ['a client who leaves', 55_000],
  ['a deadline', 1],
])(
  'a reading of the bucket that %s breaks off is no failure of the bucket in the log',
  async (_, readMilliseconds) => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog((line) => void lines.push(JSON.parse(line)));
    const parts = await inProcess(service, { provider: provider.baseUrl, readMilliseconds, log });
    const client = new AbortController();
    let broken: unknown;
    wrapFiles(parts.deps.files, async ({ method }, call) => {
      if (method !== 'getBytes') return call();
      if (readMilliseconds > 1) client.abort();
      else await delay(10 * readMilliseconds);
      return call().catch((error: unknown) => {
        broken = error;
        throw error;
      });
    });
    expect((await parts.send(text(), client.signal)).status).toBe(502);
    expect(broken).toHaveProperty('name', 'AbortError');
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
