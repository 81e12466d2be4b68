import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, BatchWriteCommand, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAwsClients } from './clients.ts';
import { createDocuments } from './documents.ts';
import { localCredentials, localRegion } from './local.ts';

type Sent = { path: string; body: Record<string, unknown>; response: ServerResponse };

async function startScripted(answer: (sent: Sent, request: IncomingMessage) => unknown, path = '') {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const one = { path: request.url!, body: (await json(request)) as Sent['body'], response };
    sent.push(one);
    const body = answer(one, request);
    if (body !== undefined) response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const settings = { region: localRegion, credentials: localCredentials };
  return { sent, dynamodb: createAwsClients({ ...settings, endpoints: { dynamodb: endpoint } }).dynamodb };
}

const Key = { pk: 'P', sk: 'S' };
const Item = { ...Key, bytes: new Uint8Array([1]) };
const attributes = { pk: { S: 'P' }, sk: { S: 'S' } };
const get = () => new GetCommand({ TableName: 'Values', Key });

test('keys and items that a throttled store leaves come as they were sent, and go back so', async () => {
  const { sent, dynamodb } = await startScripted(({ body }, { headers }) => ({
    [headers['x-amz-target'] === 'DynamoDB_20120810.BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems']:
      body.RequestItems,
  }));
  const RequestItems = { Values: { Keys: [Key], ConsistentRead: true } };
  const { UnprocessedKeys } = await dynamodb.send(new BatchGetCommand({ RequestItems }));
  expect(UnprocessedKeys).toEqual(RequestItems);
  await dynamodb.send(new BatchGetCommand({ RequestItems: UnprocessedKeys }));
  expect(sent[1]?.body).toEqual({ RequestItems: { Values: { Keys: [attributes], ConsistentRead: true } } });
  const other = { ...Key, sk: 'other' };
  const writes = { Values: [{ DeleteRequest: { Key: other } }, { PutRequest: { Item } }] };
  const { UnprocessedItems } = await dynamodb.send(new BatchWriteCommand({ RequestItems: writes }));
  expect(UnprocessedItems).toEqual(writes);
});

test('a transaction whose token is undefined gets one', async () => {
  const { sent, dynamodb } = await startScripted(() => ({}));
  await dynamodb.send(
    new TransactWriteCommand({
      ClientRequestToken: undefined,
      TransactItems: [{ Put: { TableName: 'Values', Item } }],
    }),
  );
  expect(sent[0]?.body.ClientRequestToken).toEqual(expect.any(String));
});

test('the path of an endpoint ends in a slash', async () => {
  const { sent, dynamodb } = await startScripted(() => ({}), '/base');
  await dynamodb.send(get());
  expect(sent[0]?.path).toBe('/base/');
});

test('tables of an answer that are null are as if they were not there', async () => {
  const { dynamodb } = await startScripted(() => ({
    Responses: { Values: null },
    UnprocessedKeys: { Values: null },
  }));
  const { $metadata, ...answer } = await dynamodb.send(
    new BatchGetCommand({ RequestItems: { Values: { Keys: [Key] } } }),
  );
  expect(answer).toEqual({ Responses: {}, UnprocessedKeys: {} });
});

test('callbacks are called', async () => {
  const { dynamodb } = await startScripted(() => ({ Item: { pk: { S: 'P' } } }));
  const item = { pk: 'P' };
  await expect(
    new Promise((resolve) => dynamodb.send(get(), (_, data) => resolve(data?.Item))),
  ).resolves.toEqual(item);
  await expect(
    new Promise((resolve) => dynamodb.send(get(), {}, (_, data) => resolve(data?.Item))),
  ).resolves.toEqual(item);
});

test('requests that are refused together for a wrong clock are all sent again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { sent, dynamodb } = await startScripted(() => undefined);
  const both = Promise.all([dynamodb.send(get()), dynamodb.send(get())]);
  const arrived = async (count: number) => {
    while (sent.length < count) await new Promise(setImmediate);
  };
  const refuse = ({ response }: Sent) => {
    response.writeHead(400, { date: new Date(Date.now() - 7_200_000).toUTCString() });
    response.end(
      JSON.stringify({ __type: 'x#InvalidSignatureException', message: 'Signature not yet current' }),
    );
  };
  await arrived(2);
  refuse(sent[0]!);
  await arrived(3);
  refuse(sent[1]!);
  await Promise.race([arrived(4), both]);
  for (const { response } of sent.slice(2)) response.end('{}');
  await expect(both).resolves.toHaveLength(2);
});

test('a client without what reads answers is refused', async () => {
  const client = new DynamoDBClient({
    region: localRegion,
    credentials: localCredentials,
    endpoint: 'http://127.0.0.1:1',
  });
  const documents = createDocuments(client);
  client.middlewareStack.remove('deserializerMiddleware');
  await expect(documents.send(get())).rejects.toThrow('the SDK has no deserializerMiddleware');
});
