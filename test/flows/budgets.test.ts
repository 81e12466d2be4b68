import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type LocalService, startLocal } from '@errand/local';
import {
  type AwsClients,
  createAwsClients,
  localCredentials,
  localRegion,
  localTableNames,
  readConfig,
  silentLog,
} from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, spawnService } from '../faults/support/service-process.ts';
import { countRequests } from '../support/count-requests.ts';
import { simpleCatalogue } from '../support/service.ts';

let dataDir: string;
let aws: ServiceProcess;
let api: LocalService;
let baseUrl: string;
let apiKey: string;
let requests: () => number;
let dynamodb: AwsClients['dynamodb'];

// No worker runs, and the part that sweeps has a process of its own, so that only the API's requests are counted.
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-budget-'));
  const catalogue = path.join(dataDir, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(simpleCatalogue('http://127.0.0.1:1/v1')));
  const config = readConfig('local', { PORT: '0', DATA_DIR: dataDir, MODEL_CATALOGUE: catalogue });
  aws = spawnService({ DATA_DIR: dataDir, MODEL_CATALOGUE: catalogue }, { only: 'aws' });
  await aws.ready;
  api = await startLocal({ config, log: silentLog, only: 'api', onExit: () => {} });
  const service = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    baseUrl: string;
    apiKey: string;
    endpoints: { dynamodb: string };
  };
  ({ baseUrl, apiKey } = service);
  requests = countRequests(service.endpoints.dynamodb);
  const { endpoints } = service;
  dynamodb = createAwsClients({ region: localRegion, credentials: localCredentials, endpoints }).dynamodb;
});

afterAll(async () => {
  dynamodb.destroy();
  await api.stop();
  aws.child.kill();
  await aws.ended;
  await rm(dataDir, { recursive: true, force: true });
});

async function cost(
  route: string,
  init: RequestInit = {},
): Promise<{ status: number; requests: number; body: unknown }> {
  const before = requests();
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...init.headers };
  const response = await fetch(`${baseUrl}${route}`, { ...init, headers });
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  const body: unknown = isJson ? await response.json() : await response.text();
  return { status: response.status, requests: requests() - before, body };
}

/** As if a worker had claimed the run, for a minute. */
async function holdRun(agentId: string): Promise<void> {
  await dynamodb.send(
    new UpdateCommand({
      TableName: localTableNames.runs,
      Key: { pk: `RUN#${agentId}`, sk: 'RUN' },
      UpdateExpression: 'SET #status = :running, leaseToken = :token, leaseUntilMilliseconds = :until',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':running': 'running',
        ':token': 'a worker',
        ':until': Date.now() + 60_000,
      },
    }),
  );
}

test('a request that only has to be authenticated and counted costs at most two DynamoDB requests', async () => {
  const first = await cost('/v1/agents/servers');
  expect([first.status, first.requests]).toEqual([200, 2]);
  // The process keeps the key in its cache for `limits.keyCacheMilliseconds`.
  expect((await cost('/v1/agents/servers')).requests).toBeLessThanOrEqual(1);
});

test('a list of agents costs a request for each of the scopes whose agents the key sees', async () => {
  expect((await cost('/v1/agents')).requests).toBeLessThanOrEqual(3);
});

test('creating a run costs at most five DynamoDB requests, and reading it at most three', async () => {
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

test('cancelling a run that a worker holds costs at most three DynamoDB requests: the rate count, the run, and the signal to its worker', async () => {
  const created = await cost('/v1/agents/runs', { method: 'POST', body: JSON.stringify({ question: 'q' }) });
  const { agentId } = created.body as { agentId: string };
  await holdRun(agentId);
  const cancelled = await cost(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  expect(cancelled).toMatchObject({ status: 202, requests: 3, body: { status: 'running' } });
});

test('a link to upload costs at most four DynamoDB requests, one more for the run that takes it, and one for a run that comes too late', async () => {
  const ticket = await cost('/v1/uploads', {
    method: 'POST',
    body: JSON.stringify({ filename: 'a.txt', size: 4 }),
  });
  expect([ticket.status, ticket.requests <= 4]).toEqual([201, true]);
  const { uploadId, url, headers } = ticket.body as {
    uploadId: string;
    url: string;
    headers: Record<string, string>;
  };
  expect((await fetch(url, { method: 'PUT', headers, body: 'text' })).status).toBe(200);
  const request = { method: 'POST', body: JSON.stringify({ question: 'q', uploadId }) };
  const taken = await cost('/v1/agents/runs', request);
  expect([taken.status, taken.requests <= 5]).toEqual([202, true]);
  const late = await cost('/v1/agents/runs', request);
  expect([late.status, late.requests <= 3]).toEqual([400, true]);
});

test('a key without the form of a key is refused without a DynamoDB request', async () => {
  const before = requests();
  const response = await fetch(`${baseUrl}/v1/agents/runs`, { headers: { Authorization: 'Bearer guess' } });
  expect([response.status, requests() - before]).toEqual([401, 0]);
});
