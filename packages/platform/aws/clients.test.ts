import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { createAwsClients } from './clients.ts';
import { localCredentials, localRegion } from './local.ts';

afterEach(() => void vi.useRealTimers());

test('a call that a store does not answer in 5 s is made again, five times in all, then fails', async () => {
  const requests: ServerResponse[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    requests.push(response);
    arrived.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { dynamodb } = createAwsClients({
    region: localRegion,
    credentials: localCredentials,
    endpoints: { dynamodb: endpoint },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = dynamodb.send(new GetCommand({ TableName: 'accounts', Key: { pk: 'a', sk: 'b' } }));
  const failed = expect(answer).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  for (let attempt = 1; attempt <= 5; attempt++) {
    await arrived.promise;
    arrived = Promise.withResolvers<void>();
    await vi.advanceTimersByTimeAsync(5_000);
    if (attempt < 5) while (requests.length === attempt) await vi.advanceTimersByTimeAsync(1_000);
  }
  await failed;
  expect(requests).toHaveLength(5);
  server.closeAllConnections();
  server.close();
});
