import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig, silentLog } from '@errand/platform';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamoServer } from '../../test/support/dynamo-server.ts';
import { startLocal } from './start-local.ts';

/** A DynamoDB that never answers scans, and says how often it was asked to do what. */
async function serveWithoutScans() {
  const { endpoint, close } = await startDynamoServer();
  const asked = new Map<string, number>();
  const server = http.createServer((request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
    asked.set(operation, (asked.get(operation) ?? 0) + 1);
    if (operation === 'Scan') return;
    const { method, headers, url = '/' } = request;
    const passed = http.request(new URL(url, endpoint), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await close();
  });
  return { given: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('a start waits for no reading of a whole table and counts no items, and a stop does not wait for such a reading either', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-at-once-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const { given, asked } = await serveWithoutScans();
  const config = readConfig('local', { DATA_DIR: dataDir, PORT: '0', AWS_ENDPOINT_URL_DYNAMODB: given });
  const start = () => startLocal({ config, log: silentLog, onExit: () => {} });
  await (await start()).stop();
  asked.clear();
  const service = await start();
  expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  await expect.poll(() => asked.get('Scan')).toBe(2);
  expect(asked.has('DescribeTable')).toBe(false);
  await service.stop();
  // None has been given up as unanswered, and sent again.
  expect(asked.get('Scan')).toBe(2);
});
