import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { localQueues } from '@errand/local/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Cloud, startCloud } from '../support/lambda/cloud.ts';
import { type EventSource, startEventSource } from '../support/lambda/event-source.ts';
import { startFunction } from '../support/lambda/start-function.ts';
import { type LocalServer, serve } from '../support/local-server.ts';

/** Does with a batch what the bodies of its records say, once the test lets it. */
const program = `
export async function handler({ Records }) {
  const bodies = Records.map(({ body }) => body);
  await fetch(process.env.TEST_URL + '/' + process.pid + '?' + bodies).then((answer) => answer.text());
  if (bodies.includes('throw')) throw new Error('as it was told');
  if (bodies.includes('die')) process.kill(process.pid, 'SIGKILL');
  if (bodies.includes('hang')) await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
  if (bodies.includes('nonsense')) return { batchItemFailures: [{ itemIdentifier: 'nobody' }] };
  if (bodies.includes('nothing')) return;
  const failed = Records.filter(({ body }) => body === 'again');
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}`;

let cloud: Cloud;
let server: LocalServer;
let folder: string;
/** Invocations that wait for the test. */
let begun: { pid: number; bodies: string[]; response: ServerResponse }[] = [];
let isHeld = false;

beforeAll(async () => {
  cloud = await startCloud({ models: [], roles: {} });
  server = await serve(({ path: asked }, response) => {
    const { pathname, search } = new URL(asked, 'http://x');
    begun.push({ pid: Number(pathname.slice(1)), bodies: search.slice(1).split(','), response });
    if (!isHeld) response.end();
  });
  folder = await mkdtemp(path.join(tmpdir(), 'errand-source-'));
  await writeFile(path.join(folder, 'bundle.mjs'), program);
});
afterAll(async () => {
  await cloud?.stop();
  await server?.close();
  await rm(folder, { recursive: true });
});

let queues = 0;

interface Given extends Partial<Parameters<typeof startEventSource>[0]> {
  bodies: string[];
  held?: boolean;
  visibilitySeconds?: number;
}

/** An event source whose queue has these messages. */
async function begin({ bodies, held = false, visibilitySeconds = 600, ...options }: Given) {
  const { sqs } = cloud.clients;
  const name = `source-${++queues}`;
  const names = { queue: name, deadLetterQueue: `${name}-dead`, webhookQueue: `${name}-webhooks` };
  const { queueUrl, arns } = await localQueues(sqs, names);
  const Attributes = { VisibilityTimeout: String(visibilitySeconds) };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes }));
  const Entries = bodies.map((MessageBody, i) => ({ Id: String(i), MessageBody }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  begun = [];
  isHeld = held;
  const source = startEventSource({
    sqs,
    queueUrl,
    queueArn: arns.queue,
    batchSize: 10,
    maximumConcurrency: 2,
    timeoutMilliseconds: () => 500_000,
    start: () => startFunction({ folder, environment: { TEST_URL: server.url } }),
    ...options,
  });
  onTestFinished(() => letGo().then(source.stop));
  return { source, counts: () => countsOf(queueUrl) };
}

async function letGo(): Promise<void> {
  isHeld = false;
  for (const { response } of begun) response.end();
}

async function countsOf(QueueUrl: string): Promise<{ visible: number; hidden: number }> {
  const { Attributes } = await cloud.clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  return {
    visible: Number(Attributes?.ApproximateNumberOfMessages),
    hidden: Number(Attributes?.ApproximateNumberOfMessagesNotVisible),
  };
}

const endsOf = ({ delivered }: EventSource) => delivered.map(({ end }) => end);

test('messages wait in the queue while as many invocations as may be are at work', async () => {
  const bodies = ['a', 'b', 'c', 'd', 'e'];
  const { source, counts } = await begin({ bodies, held: true, batchSize: 2 });
  await eventually(() => begun.length).toBe(2);
  expect(begun.map((each) => each.bodies.length)).toEqual([2, 2]);
  expect(new Set(begun.map(({ pid }) => pid)).size).toBe(2);
  expect(await counts()).toEqual({ visible: 1, hidden: 4 });
  await letGo();
  await eventually(() => source.delivered.length).toBe(3);
  expect(begun.flatMap((each) => each.bodies).toSorted()).toEqual(bodies);
  expect(await counts()).toEqual({ visible: 0, hidden: 0 });
});

test('an environment is frozen when it is done, and takes the next batch', async () => {
  const { source } = await begin({
    bodies: ['a', 'b', 'c'],
    batchSize: 1,
    maximumConcurrency: 2,
    held: true,
  });
  await eventually(() => begun.length).toBe(2);
  const [first, second] = begun;
  first?.response.end();
  await eventually(() => begun.length).toBe(3);
  expect(begun[2]?.pid).toBe(first?.pid);
  second?.response.end();
  await eventually(() => source.delivered.length).toBe(2);
  await eventually(() => stateOf(second?.pid)).toMatch(/^T/);
  expect(stateOf(first?.pid)).not.toMatch(/^T/);
});

const stateOf = (pid = 0): string =>
  execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' });

test('what an invocation reports is kept, and the rest of its batch deleted', async () => {
  const { source, counts } = await begin({ bodies: ['a', 'again', 'b'] });
  await eventually(() => source.delivered.flatMap(({ messageIds }) => messageIds)).toHaveLength(3);
  expect(source.delivered.flatMap(({ deleted }) => deleted)).toHaveLength(2);
  expect(await counts()).toEqual({ visible: 0, hidden: 1 });
});

test('an answer of nothing is the success of all', async () => {
  const { source, counts } = await begin({ bodies: ['nothing'] });
  await eventually(() => endsOf(source)).toEqual(['done']);
  expect(await counts()).toEqual({ visible: 0, hidden: 0 });
});

test.each([
  ['failed', 'throw', 1],
  ['failed', 'nonsense', 1],
  ['SIGKILL', 'die', 0],
  ['timed out', 'hang', 0],
])('an invocation that %s by %s deletes nothing, and leaves %i environments', async (end, body, left) => {
  const { source, counts } = await begin({
    bodies: [body],
    timeoutMilliseconds: () => (body === 'hang' ? 2_000 : 500_000),
  });
  await eventually(() => endsOf(source)).toEqual([end]);
  expect(source.delivered[0]?.deleted).toEqual([]);
  expect(await counts()).toEqual({ visible: 0, hidden: 1 });
  await eventually(() => source.environments().length).toBe(left);
});

test('the batch of an environment that died comes back when it is visible again, to another', async () => {
  const { source } = await begin({ bodies: ['die'], visibilitySeconds: 1 });
  await eventually(() => source.delivered.length).toBeGreaterThan(1);
  const [first, second] = source.delivered;
  expect(second?.messageIds).toEqual(first?.messageIds);
  expect(second?.pid).not.toBe(first?.pid);
});

test('a batch that is delivered twice is at work in two environments at once', async () => {
  const { source } = await begin({ bodies: ['a'], held: true, deliversTwice: () => true });
  await eventually(() => begun.length).toBe(2);
  expect(new Set(begun.map(({ pid }) => pid)).size).toBe(2);
  await letGo();
  await eventually(() => endsOf(source)).toEqual(['done', 'done']);
});

test('sizes that AWS does not take are refused', () => {
  const options = { batchSize: 10, maximumConcurrency: 2 } as Parameters<typeof startEventSource>[0];
  expect(() => startEventSource({ ...options, batchSize: 11 })).toThrow();
  expect(() => startEventSource({ ...options, maximumConcurrency: 1 })).toThrow();
});
