import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LocalService, startLocal } from '@errand/local';
import { readConfig, silentLog } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRequests } from '../support/count-requests.ts';
import { simpleCatalogue } from '../support/service.ts';

let dataDir: string;
let parts: LocalService[];
let baseUrl: string;
let apiKey: string;
let requests: () => number;

// No worker runs, so that only the API's requests are counted.
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-budget-'));
  const catalogue = path.join(dataDir, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(simpleCatalogue('http://127.0.0.1:1/v1')));
  const config = readConfig('local', { PORT: '0', DATA_DIR: dataDir, MODEL_CATALOGUE: catalogue });
  const start = (only: 'aws' | 'api') => startLocal({ config, log: silentLog, only, onExit: () => {} });
  parts = [await start('aws'), await start('api')];
  const service = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    baseUrl: string;
    apiKey: string;
    endpoints: { dynamodb: string };
  };
  ({ baseUrl, apiKey } = service);
  requests = countRequests(service.endpoints.dynamodb);
});

afterAll(async () => {
  for (const part of parts.toReversed()) await part.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function cost(
  route: string,
  init: RequestInit = {},
): Promise<{ status: number; requests: number; body: unknown }> {
  const before = requests();
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...init.headers };
  const response = await fetch(`${baseUrl}${route}`, { ...init, headers });
  const body: unknown = response.status === 204 ? null : await response.json();
  return { status: response.status, requests: requests() - before, body };
}

test('a request that only has to be authenticated and counted costs at most two DynamoDB requests', async () => {
  const first = await cost('/v1/agents');
  expect([first.status, first.requests]).toEqual([200, 2]);
  // The process keeps the key in its cache for `limits.keyCacheMilliseconds`.
  expect((await cost('/v1/agents')).requests).toBeLessThanOrEqual(1);
});

test('creating a run costs at most five, and reading it at most three', async () => {
  const plain = await cost('/v1/agents/runs', { method: 'POST', body: JSON.stringify({ question: 'q' }) });
  expect(plain.status).toBe(202);
  expect(plain.requests).toBeLessThanOrEqual(5);
  const keyed = await cost('/v1/agents/runs', {
    method: 'POST',
    body: JSON.stringify({ question: 'q' }),
    headers: { 'Idempotency-Key': 'budget' },
  });
  expect([keyed.status, keyed.requests <= 5]).toEqual([202, true]);
  const { agentId } = plain.body as { agentId: string };
  const read = await cost(`/v1/agents/runs/${agentId}`);
  expect([read.status, read.requests <= 3]).toEqual([200, true]);
});

test('a refused key that is not of our form costs none', async () => {
  const before = requests();
  const response = await fetch(`${baseUrl}/v1/agents/runs`, { headers: { Authorization: 'Bearer guess' } });
  expect([response.status, requests() - before]).toEqual([401, 0]);
});
