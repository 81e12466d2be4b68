import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { becomeActive, giveUp } from '@errand/runs/testing';
import { runsDeps, type ServiceDeps } from '@errand/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { type Ground, groundParts, startGround } from './support/ground.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker, type TestWorker } from './support/workers.ts';

const most = 2;
let ground: Ground;
let desk: Desk;

beforeAll(async () => {
  const unbounded = await startGround();
  ground = { ...unbounded, settings: { ...unbounded.settings, activeRunsPerAccount: most } };
});
afterAll(() => ground.close());
beforeEach(async () => {
  desk?.close();
  desk = await openDesk(ground);
});

/** Starts runs whose model waits for a sign, one for each label. */
async function startRuns(labels: string[]) {
  const open = ground.outside.hold(({ label }) => labels.includes(label));
  const ids: string[] = [];
  for (const label of labels) ids.push(await desk.start({ question: `Work [${label} run]` }));
  return { ids, open };
}

const statuses = (ids: string[]) => Promise.all(ids.map(async (id) => (await desk.read(id)).status));
const running = async (ids: string[]) =>
  (await statuses(ids)).filter((status) => status === 'running').length;
const labelsOf = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);
const Key = () => ({ pk: `ACTIVE#${desk.accountId}`, sk: 'ACTIVE' });

async function waitingRuns(): Promise<number> {
  const command = new QueryCommand({
    TableName: desk.parts.tables.runs,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :waiting)',
    ExpressionAttributeValues: { ':pk': Key().pk, ':waiting': 'WAITING#' },
    ConsistentRead: true,
  });
  return (await desk.parts.aws.dynamodb.send(command)).Count ?? 0;
}

async function activeRuns(): Promise<string[]> {
  const command = new GetCommand({ TableName: desk.parts.tables.runs, Key: Key(), ConsistentRead: true });
  return [...((await desk.parts.aws.dynamodb.send(command)).Item?.activeRuns ?? [])] as string[];
}

test('an account never has more active runs than its limit on two workers; all of them end, and no slot stays taken', async () => {
  const labels = labelsOf('bounded', 8);
  const { ids, open } = await startRuns(labels);
  const workers = await Promise.all([1, 2].map(() => startTestWorker(ground.settings, desk.queues)));
  await eventually(waitingRuns).toBe(8 - most);
  await eventually(() => running(ids)).toBe(most);
  expect((await statuses(ids)).filter((status) => status === 'queued')).toHaveLength(6);
  const asking = () => ground.outside.asked.filter(({ label }) => labels.includes(label));
  await eventually(() => new Set(asking().map(({ label }) => label)).size).toBe(most);
  open();
  for (const id of ids) expect((await desk.follow(id)).at(-1)).toMatchObject({ type: 'done' });
  await eventually(activeRuns).toEqual([]);
  expect(await waitingRuns()).toBe(0);
  for (const worker of workers) await worker.stop();
});

test('another account does not wait for an account at its limit', async () => {
  const { ids, open } = await startRuns(labelsOf('crowd', 4));
  const worker = await startTestWorker(ground.settings, desk.queues);
  await eventually(() => running(ids)).toBe(most);
  const account = await ground.newAccount();
  const other = desk.as(account);
  const agentId = await other.start({ question: 'Work [idle run]' });
  expect((await other.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  other.close();
  open();
  for (const id of ids) await desk.follow(id);
  await worker.stop();
});

test('a killed worker leaves no slot taken', async () => {
  const { ids, open } = await startRuns(labelsOf('killed', 4));
  const child = await spawnWorker(ground.settings, desk.queues);
  await eventually(() => running(ids)).toBe(most);
  child.kill('SIGKILL');
  await ended(child);
  const worker = await startTestWorker(ground.settings, desk.queues);
  open();
  for (const id of ids) expect((await desk.follow(id)).at(-1)).toMatchObject({ type: 'done' });
  await eventually(activeRuns).toEqual([]);
  await worker.stop();
});

test('a slot that an ended run did not give back is reclaimed by the next run that finds none', async () => {
  const parts: ServiceDeps = groundParts(ground.settings, desk.queues);
  const ids = [await desk.start({ question: 'one' }), await desk.start({ question: 'two' })];
  const deps = runsDeps(parts);
  await desk.parts.aws.dynamodb.send(
    new UpdateCommand({
      TableName: desk.parts.tables.runs,
      Key: Key(),
      UpdateExpression: 'ADD activeRuns :ids',
      ExpressionAttributeValues: { ':ids': new Set(['00000000-0000-4000-8000-000000000000', ids[0]]) },
    }),
  );
  expect(await becomeActive(deps, (await desk.record(ids[1]!)) as never)).toBe(true);
  expect((await activeRuns()).toSorted()).toEqual(ids.toSorted());
});

test('a waiting run that is cancelled or dead-lettered lets the next run start', async () => {
  const { ids, open } = await startRuns(labelsOf('cancelled', 5));
  let worker: TestWorker = await startTestWorker(ground.settings, desk.queues);
  await eventually(activeRuns).toHaveLength(2);
  await worker.stop({ abandon: true });
  const active = await activeRuns();
  const third = ids.find((id) => !active.includes(id))!;
  await desk.request(`/v1/agents/runs/${third}/cancel`, { method: 'POST' });
  expect(await giveUp(runsDeps(desk.parts), JSON.stringify({ kind: 'run', agentId: active[0] }))).toBe(
    'done',
  );
  expect(await activeRuns()).toEqual(active.slice(1));
  open();
  worker = await startTestWorker(ground.settings, desk.queues);
  for (const id of ids) await desk.follow(id);
  const failed = new Set([active[0], third]);
  expect(await statuses(ids)).toEqual(ids.map((id) => (failed.has(id) ? 'failed' : 'succeeded')));
  await worker.stop();
});

test('runs that are cancelled and deleted, waiting or active, free their slots at once', async () => {
  const { ids, open } = await startRuns(labelsOf('deleted', 5));
  const worker = await startTestWorker(ground.settings, desk.queues);
  await eventually(activeRuns).toHaveLength(2);
  await eventually(waitingRuns).toBe(3);
  await worker.stop({ abandon: true });
  const [active, other] = await activeRuns();
  const waiting = ids.find((id) => id !== active && id !== other)!;
  for (const id of [active, waiting]) {
    await desk.request(`/v1/agents/runs/${id}/cancel`, { method: 'POST' });
    const deleted = await desk.request(`/v1/agents/runs/${id}`, { method: 'DELETE' });
    expect(deleted.status).toBe(204);
  }
  expect([(await activeRuns()).length, await waitingRuns()]).toEqual([1, 2]);
  open();
  const next = await startTestWorker(ground.settings, desk.queues);
  for (const id of ids) if (id !== active && id !== waiting) await desk.follow(id);
  await eventually(activeRuns).toEqual([]);
  await next.stop();
});
