import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { type SqsRecord, toSqsRecord } from '@errand/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { eventually } from '../support/eventually.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { publicSiteAt, secureSite } from '../support/lambda/public-site.ts';
import { inTurn, type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';
import { type Receiver, startReceiver, wordOf } from '../webhooks/support/receiver.ts';

let provider: Provider;
let receiver: Receiver;
let cloud: Cloud;
let agents: CloudFunction;
let mcp: CloudFunction;
let worker: CloudFunction;
let webhooks: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  receiver = await startReceiver({ secure: true });
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  agents = await cloud.start('agents');
  mcp = await cloud.start('mcp');
  worker = await cloud.start('worker');
  webhooks = await cloud.start('webhooks', { environment: publicSiteAt(Number(new URL(receiver.url).port)) });
});

afterAll(async () => {
  for (const each of [agents, mcp, worker, webhooks]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await receiver?.close();
  await provider?.close();
});

/** Has a function handle messages, and returns those that stay in the queue. */
async function handle(
  by: CloudFunction,
  name: 'worker' | 'webhooks',
  records: unknown[],
): Promise<unknown[]> {
  const { chunks, failure } = by.invoke(
    { Records: records },
    { milliseconds: functionShapes[name].timeoutSeconds * 1000 },
  );
  const pieces: Buffer[] = [];
  for await (const piece of chunks) pieces.push(piece);
  expect(await failure).toBeUndefined();
  return (JSON.parse(Buffer.concat(pieces).toString()) as { batchItemFailures: unknown[] }).batchItemFailures;
}

/** Has the worker work on the next run. */
async function work(): Promise<unknown[]> {
  let record: SqsRecord | undefined;
  await eventually(async () => (record ??= await cloud.receive())).toBeDefined();
  return handle(worker, 'worker', [record]);
}

/** The next messages of the queue of webhooks, which come a second after they were sent. */
async function receiveWebhooks() {
  const { Messages = [] } = await cloud.clients.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: cloud.webhookQueueUrl,
      WaitTimeSeconds: 10,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages.map((message) =>
    toSqsRecord(message, 'arn:aws:sqs:eu-central-1:000000000000:errand-webhooks'),
  );
}

const rpc = (method: string, params: object) =>
  mcp.request('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

test('an agent is told of its run’s progress while the worker works on it, then of the answer', async () => {
  provider.script(
    inTurn(
      { calls: [{ name: 'save_data', args: { name: 'depth', value: '40' } }] },
      { text: 'Forty metres.' },
    ),
  );
  const params = { name: 'ask', arguments: { question: 'How deep?' }, _meta: { progressToken: 'p' } };
  const answer = await rpc('tools/call', params);
  expect(await work()).toEqual([]);
  expect(answer.statusCode).toBe(200);
  const text = await answer.text();
  const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  const progress = messages.filter(({ method }) => method === 'notifications/progress');
  expect(progress.map((one) => one.params.progress)).toEqual(progress.map((_, index) => index + 1));
  expect(progress.some((one) => one.params.message.startsWith('save_data answered'))).toBe(true);
  expect(messages.at(-1)).toMatchObject({
    id: 1,
    result: { structuredContent: { status: 'succeeded', answer: 'Forty metres.' } },
  });
});

test('an agent reads what this deployment offers, and is refused anything else', async () => {
  const listed = await (await rpc('tools/list', {})).text();
  expect(listed).toContain('"cancel_run"');
  const none = await (await rpc('tools/call', { name: 'get_run', arguments: { agentId: 'none' } })).text();
  expect(none).toContain('no such run');
});

const unreachable = { label: 'odd', url: 'https://tools.invalid/', authorization: 'tok-of-a-stage' };

test('the end of a run with an authorization is fanned out, sent, and recorded, by messages of the queue alone', async () => {
  const made = await agents.request('/v1/webhooks', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: `${secureSite}/hook`, events: ['run.succeeded'] }),
  });
  expect(made.statusCode).toBe(201);
  const { id } = JSON.parse(await made.text()) as { id: string };
  provider.script(() => ({ text: 'Done.' }));
  await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // The worker would fail the run if it could not decrypt it. The server cannot be reached, which fails nothing.
    body: JSON.stringify({ question: 'Done?', mcp: [unreachable] }),
  });
  expect(await work()).toEqual([]);
  expect(await handle(webhooks, 'webhooks', await receiveWebhooks())).toEqual([]);
  expect(await handle(webhooks, 'webhooks', await receiveWebhooks())).toEqual([]);
  expect(receiver.received.map(wordOf)).toMatchObject([{ type: 'run.succeeded' }]);
  const listed = await (await agents.request(`/v1/webhooks/${id}/deliveries`)).text();
  expect(JSON.parse(listed)).toMatchObject({ deliveries: [{ status: 'succeeded', attempts: 1 }] });
});
