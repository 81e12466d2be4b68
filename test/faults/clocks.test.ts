import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { claimRun, giveUp, type LeaseDeps } from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { type Ground, startGround } from './support/ground.ts';

let ground: Ground;
let desk: Desk;
let clock: HeldClock;
let deps: LeaseDeps;

const leaseMilliseconds = 60_000;
const hour = 60 * 60 * 1000;
const ordinary = { alone: false, isSuspect: false };

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());
beforeEach(async () => {
  desk?.close();
  clock = heldClock();
  desk = await openDesk(ground, clock);
  deps = { ...runsDeps(desk.parts), leaseMilliseconds };
});

async function heldRun(): Promise<string> {
  const agentId = await desk.start({ question: 'What time is it?' });
  expect((await claimRun(deps, agentId, ordinary)).kind).toBe('claimed');
  return agentId;
}

async function messages(): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const command = new GetQueueAttributesCommand({ QueueUrl: desk.queues.queueUrl, AttributeNames });
  return Number((await desk.parts.aws.sqs.send(command)).Attributes?.ApproximateNumberOfMessages);
}

test('a run whose lease was taken before the clock was set back two hours is taken', async () => {
  const agentId = await heldRun();
  clock.advance(-2 * hour);
  expect((await claimRun(deps, agentId, ordinary)).kind).toBe('claimed');
  expect((await claimRun(deps, agentId, ordinary)).kind).toBe('held');
});

test('a run whose lease has no length, from an earlier release, is taken after the clock was set back', async () => {
  const agentId = await heldRun();
  await desk.parts.aws.dynamodb.send(
    new UpdateCommand({
      TableName: desk.parts.tables.runs,
      Key: { pk: `RUN#${agentId}`, sk: 'RUN' },
      UpdateExpression: 'REMOVE leaseMilliseconds, deathsShared, alone',
    }),
  );
  expect((await claimRun(deps, agentId, ordinary)).kind).toBe('held');
  clock.advance(-2 * hour);
  expect((await claimRun(deps, agentId, ordinary)).kind).toBe('claimed');
});

test('a lease from a host whose clock is seconds ahead is valid', async () => {
  const agentId = await heldRun();
  clock.advance(-4_000);
  expect((await claimRun(deps, agentId, ordinary)).kind).toBe('held');
});

test('a run whose lease was taken before the clock was set back is cancelled at once', async () => {
  const agentId = await heldRun();
  clock.advance(-2 * hour);
  await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  expect(await desk.read(agentId)).toMatchObject({ status: 'failed', error: 'Cancelled' });
});

test('a dead-lettered run whose lease was taken before the clock was set back ends failed', async () => {
  const agentId = await heldRun();
  clock.advance(-2 * hour);
  expect(await giveUp(runsDeps(desk.parts), JSON.stringify({ kind: 'run', agentId }))).toBe('done');
  expect(await desk.read(agentId)).toMatchObject({ status: 'failed' });
});

test.each(['queued', 'running'])(
  'a read sends the message of a %s run again once the clock was set back, and then once a minute',
  async (status) => {
    const agentId = status === 'queued' ? await desk.start({ question: 'When?' }) : await heldRun();
    await desk.read(agentId);
    expect(await messages()).toBe(1);
    clock.advance(-2 * hour);
    await desk.read(agentId);
    await desk.read(agentId);
    expect(await messages()).toBe(2);
    clock.advance(60_000);
    await desk.read(agentId);
    expect(await messages()).toBe(3);
  },
);
