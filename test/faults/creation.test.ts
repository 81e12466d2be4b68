import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { limits, localCredentials, localRegion } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { deathsBeforeCommits } from './support/evidence.ts';
import { type Ground, leaseSeconds, startGround } from './support/ground.ts';
import { hookCalls } from './support/points.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

const resendMilliseconds = limits.queuedResendSeconds * 1000;

let ground: Ground;
let clock: HeldClock;
let desk: Desk;
let s3: S3Client;

beforeAll(async () => {
  ground = await startGround();
  const { s3: endpoint } = ground.settings.endpoints;
  const credentials = localCredentials;
  s3 = new S3Client({ endpoint, region: localRegion, credentials, forcePathStyle: true });
});
afterAll(async () => {
  s3.destroy();
  await ground.close();
});
beforeEach(async () => {
  clock = heldClock(new Date().toISOString());
  desk = await openDesk(ground, clock);
});

const create = (at: Desk, body: object, idempotencyKey?: string) =>
  at.request('/v1/agents/runs', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  });

/** The keys of all items and objects of runs. */
async function kept(): Promise<string[]> {
  const { dynamodb } = desk.parts.aws;
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: desk.parts.tables.runs }));
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: desk.parts.config.aws.bucket }));
  return [...Items.map(({ pk, sk }) => `${pk} ${sk}`), ...Contents.map(({ Key }) => String(Key))].toSorted();
}

async function messages(): Promise<number> {
  const command = new GetQueueAttributesCommand({
    QueueUrl: desk.queues.queueUrl,
    AttributeNames: ['ApproximateNumberOfMessages'],
  });
  return Number((await desk.parts.aws.sqs.send(command)).Attributes?.ApproximateNumberOfMessages);
}

/** Deletes every message of the queue, unhandled. */
async function loseMessages(): Promise<void> {
  const QueueUrl = desk.queues.queueUrl;
  const { sqs } = desk.parts.aws;
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  for (const { ReceiptHandle } of Messages)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
}

test('requests that lose the race for an idempotency key leave no object', async () => {
  const before = new Set(await kept());
  const attempts = Array.from({ length: 5 }, () => create(desk, { question: 'x'.repeat(100_000) }, 'race'));
  const texts = await Promise.all(attempts.map(async (attempt) => (await attempt).text()));
  expect(new Set(texts).size).toBe(1);
  const inputs = (await kept()).filter((key) => !before.has(key) && key.endsWith('input.json'));
  expect(inputs).toHaveLength(1);
});

test('a run whose message cannot be sent is a 503 and leaves nothing: no run, listing, claim or object', async () => {
  const before = await kept();
  let isDown = true;
  hookCalls(desk.parts.aws, desk.parts.files, {
    before({ kind }) {
      if (kind === 'send message' && isDown) throw new Error('scripted');
    },
  });
  const refused = await create(desk, { question: 'x'.repeat(100_000) }, 'same-key');
  expect([refused.status, await refused.text()]).toEqual([
    503,
    'Agent service is unavailable. Please retry.',
  ]);
  expect(await kept()).toEqual(before);
  expect(await (await desk.request('/v1/agents/runs')).json()).toEqual({ runs: [] });
  isDown = false;
  expect((await create(desk, { question: 'Another body' }, 'same-key')).status).toBe(202);
});

/** Another API process that hangs for good between its write and its message, which is how a crash looks to others. */
async function dieBeforeSending(body: object, idempotencyKey?: string): Promise<Desk> {
  const died = Promise.withResolvers<void>();
  const dying = await desk.colleague();
  hookCalls(dying.parts.aws, dying.parts.files, {
    before({ kind }) {
      if (kind !== 'send message') return;
      died.resolve();
      return new Promise(() => {});
    },
  });
  void create(dying, body, idempotencyKey);
  await died.promise;
  return dying;
}

test('a run whose creation crashed between write and message is told to nobody, and finishes after the creation is retried', async () => {
  const body = { question: 'Once [crashed run]' };
  await dieBeforeSending(body, 'order-1');
  const [again, early] = [await create(desk, body, 'order-1'), await messages()];
  expect([again.status, early]).toEqual([202, 0]);
  const { agentId } = (await again.json()) as { agentId: string };
  clock.advance(resendMilliseconds);
  const later = await create(desk, body, 'order-1');
  expect(await later.json()).toEqual({ agentId, status: 'queued' });
  expect(await messages()).toBe(1);
  const worker = await startTestWorker(ground.settings, desk.queues);
  expect((await desk.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  const { runs } = (await (await desk.request('/v1/agents/runs')).json()) as { runs: unknown[] };
  expect(runs).toHaveLength(1);
  await worker.stop();
});

test('an idempotency key is free again though the process died that took its run back', async () => {
  const died = Promise.withResolvers<void>();
  const dying = await desk.colleague();
  let isRefused = false;
  hookCalls(dying.parts.aws, dying.parts.files, {
    before({ kind }) {
      if (kind !== 'send message') return;
      isRefused = true;
      throw new Error('scripted');
    },
    after({ kind }) {
      if (kind !== 'commit' || !isRefused) return;
      died.resolve();
      return new Promise(() => {});
    },
  });
  const listings = async () => (await kept()).filter((key) => key.startsWith('KEY#'));
  const before = await listings();
  const body = { question: 'Once [crashed run]' };
  void create(dying, body, 'order-2');
  await died.promise;
  expect(await listings()).toEqual(before);
  const again = await create(desk, body, 'order-2');
  expect(again.status).toBe(202);
  const { agentId } = (await again.json()) as { agentId: string };
  const repeated = await create(desk, body, 'order-2');
  expect(await repeated.json()).toMatchObject({ agentId });
  dying.close();
});

test('a queued run is sent again by a read after its pause, once in each pause, and not before', async () => {
  const agentId = await desk.start({ question: 'Lost' });
  await loseMessages();
  clock.advance(resendMilliseconds - 1);
  await desk.read(agentId);
  expect(await messages()).toBe(0);
  clock.advance(1);
  await desk.read(agentId);
  await desk.read(agentId);
  expect(await messages()).toBe(1);
  await loseMessages();
  clock.advance(resendMilliseconds);
  await desk.read(agentId);
  expect(await messages()).toBe(1);
});

test('two reads at the same moment send it once', async () => {
  const agentId = await desk.start({ question: 'Lost' });
  await loseMessages();
  clock.advance(resendMilliseconds);
  await Promise.all([desk.read(agentId), desk.read(agentId), desk.read(agentId)]);
  expect(await messages()).toBe(1);
});

test('an open stream sends a queued run again after its pause', async () => {
  const agentId = await desk.start({ question: 'Lost' });
  await loseMessages();
  let now = clock();
  let passing = 0;
  const reader = await desk.colleague(() => (now += passing));
  const response = await reader.request(`/v1/agents/runs/${agentId}/stream`);
  expect(await messages()).toBe(0);
  passing = 4_000;
  const worker = await startTestWorker(ground.settings, desk.queues);
  expect(await response.text()).toContain('"type":"done"');
  await worker.stop();
});

test('a queue that is down does not fail a read of a forgotten run', async () => {
  const agentId = await desk.start({ question: 'Lost' });
  await loseMessages();
  clock.advance(resendMilliseconds);
  hookCalls(desk.parts.aws, desk.parts.files, {
    before({ kind }) {
      if (kind === 'send message') throw new Error('scripted');
    },
  });
  expect(await desk.read(agentId)).toMatchObject({ status: 'queued' });
});

test('a running run whose worker died and whose message is lost is sent again by a read after a minute', async () => {
  const agentId = await desk.start({ question: 'Lost [half run]' });
  const doom = { kind: 'commit', ordinal: 2, moment: 'after' } as const;
  expect(await ended(await spawnWorker(ground.settings, desk.queues, doom))).toBe('SIGKILL');
  // The new queue has no messages except those that the read sends.
  const queues = await ground.newQueues();
  const reader = await desk.colleague(() => Date.now() + 60_000 + leaseSeconds * 1_000, queues);
  expect(await reader.read(agentId)).toMatchObject({ status: 'running' });
  const { seen, hooks } = deathsBeforeCommits({ desk, agentId });
  const worker = await startTestWorker(ground.settings, queues, { hooks });
  expect((await desk.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  expect(seen[0]).toBe(1);
  await worker.stop();
});
