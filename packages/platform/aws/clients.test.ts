import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DeleteMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { expectedAuthorization } from '../../../test/support/aws-signature.ts';
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

test.each([undefined, 'the-role-of-a-function'])(
  'requests are signed for the region and their service, with a session token or without: %s',
  async (sessionToken) => {
    const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer(async (request, response) => {
      received.push({ url: request.url ?? '', headers: request.headers, body: await text(request) });
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credentials = { ...localCredentials, sessionToken: sessionToken || undefined };
    const clients = createAwsClients({
      region: 'eu-north-1',
      credentials,
      endpoints: { dynamodb: endpoint, sqs: endpoint },
    });
    await clients.dynamodb.send(new GetCommand({ TableName: 'accounts', Key: { pk: 'ä', sk: 'b' } }));
    await clients.sqs.send(new DeleteMessageCommand({ QueueUrl: `${endpoint}/q`, ReceiptHandle: 'r' }));
    for (const [index, service] of ['dynamodb', 'sqs'].entries()) {
      const { url, headers, body } = received[index]!;
      expect(headers['x-amz-security-token']).toBe(sessionToken);
      expect(headers.authorization).toContain(`/eu-north-1/${service}/aws4_request,`);
      expect(headers.authorization).toBe(
        await expectedAuthorization(
          { path: url, headers, body },
          { service, region: 'eu-north-1', credentials },
        ),
      );
    }
    clients.dynamodb.destroy();
    clients.sqs.destroy();
    server.close();
  },
);

test.each([-2, 2])(
  'a clock that is %d hours off costs one more attempt: the next request is signed for the time of AWS',
  async (hours) => {
    const now = Date.now() + hours * 3_600_000;
    let refused = 0;
    // A server that, as AWS does, refuses a signature that is more than five minutes off and says what time it is.
    const server = createServer((request, response) => {
      response.setHeader('Date', new Date(now).toUTCString());
      const [, year, month, day, hour, minute, second] =
        /^(....)(..)(..)T(..)(..)(..)Z$/.exec(String(request.headers['x-amz-date'])) ?? [];
      const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      if (Math.abs(signedAt - now) < 300_000) return response.end('{}');
      refused++;
      const body = {
        __type: 'com.amazon.coral.service#InvalidSignatureException',
        message: 'Signature expired',
      };
      return response
        .writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clients = createAwsClients({
      region: localRegion,
      credentials: localCredentials,
      endpoints: { dynamodb: endpoint, sqs: endpoint },
    });
    for (let request = 0; request < 3; request++)
      await clients.dynamodb.send(new GetCommand({ TableName: 'accounts', Key: { pk: 'a', sk: 'b' } }));
    expect(refused).toBe(1);
    await clients.sqs.send(new DeleteMessageCommand({ QueueUrl: `${endpoint}/q`, ReceiptHandle: 'r' }));
    expect(refused).toBe(2);
    clients.dynamodb.destroy();
    clients.sqs.destroy();
    server.close();
  },
);
