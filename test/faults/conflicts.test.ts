import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { type ConflictingDynamo, type SentWrite, startConflictingDynamo } from '../support/conflicts.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { holdFirst, startSubject } from './support/evidence.ts';
import { type Ground, type GroundSettings, startGround } from './support/ground.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;
/** The same ground, whose plain writes collide with transactions where a test says so. */
let colliding: Ground;
let dynamodb: ConflictingDynamo;
let clock: HeldClock;

beforeAll(async () => {
  ground = await startGround();
  const { endpoints } = ground.settings;
  dynamodb = await startConflictingDynamo(endpoints.dynamodb);
  const settings: GroundSettings = {
    ...ground.settings,
    endpoints: { ...endpoints, dynamodb: dynamodb.url },
  };
  colliding = { ...ground, settings };
});
afterAll(async () => {
  await dynamodb.close();
  await ground.close();
});
beforeEach(() => {
  clock = heldClock(new Date().toISOString());
});

const updates = (what: string) => (write: SentWrite) =>
  write.operation === 'UpdateItem' && write.input.includes(what);

/** How often a write is tried before its conflict is thrown. */
const allAttempts = 12;

const forgottenRun = async (): Promise<{ desk: Desk; agentId: string }> => {
  const desk = await openDesk(colliding, clock);
  const agentId = await desk.start({ question: 'Lost' });
  clock.advance(60_000);
  return { desk, agentId };
};

test('a run whose cancellation collides with a commit of its worker is cancelled: 202', async () => {
  const subject = await startSubject(colliding, 'conflict-cancel');
  const hold = holdFirst(subject, 'completion-2');
  const worker = await startTestWorker(ground.settings, subject.desk.queues);
  await hold.asked;
  const refused = dynamodb.conflict(1, updates('cancelRequested'));
  const path = `/v1/agents/runs/${subject.agentId}/cancel`;
  const answer = await subject.desk.request(path, { method: 'POST' });
  expect([answer.status, refused()]).toEqual([202, 1]);
  expect((await subject.desk.follow(subject.agentId)).at(-1)).toMatchObject({ message: 'Cancelled' });
  hold.open();
  await worker.stop();
});

test('a request whose rate count collides with another write is counted and answered', async () => {
  const desk = await openDesk(colliding);
  const refused = dynamodb.conflict(1, updates('window:'));
  expect((await desk.request('/v1/agents/runs')).status).toBe(200);
  expect(refused()).toBe(1);
});

test('a forgotten run is sent again by a read whose mark collides with another write', async () => {
  const { desk, agentId } = await forgottenRun();
  const before = (await desk.record(agentId)) as unknown as { sentAtMilliseconds: number };
  const refused = dynamodb.conflict(1, updates('sentAtMilliseconds'));
  await desk.read(agentId);
  expect(refused()).toBe(1);
  expect(await desk.record(agentId)).toMatchObject({
    sentAtMilliseconds: before.sentAtMilliseconds + 60_000,
  });
});

test('a worker whose claim collides with another write works on the run with the same message', async () => {
  const subject = await startSubject(ground, 'conflict-claim');
  const refused = dynamodb.conflict(1, updates('deaths = :deaths'));
  const worker = await startTestWorker(colliding.settings, subject.desk.queues, { leaseSeconds: 60 });
  expect(await worker.handled()).toBe('deleted');
  expect(refused()).toBe(1);
  expect(await subject.desk.read(subject.agentId)).toMatchObject({ status: 'succeeded' });
  await worker.stop();
});

test('a run whose worker meets a conflict in every attempt is handed back, and no death is counted', async () => {
  const subject = await startSubject(ground, 'conflict-always');
  const { desk, agentId } = subject;
  const hold = holdFirst(subject, 'completion-2');
  const worker = await startTestWorker(colliding.settings, desk.queues, { leaseSeconds: 60 });
  await hold.asked;
  const refused = dynamodb.conflict(allAttempts, updates('REMOVE leaseToken'));
  const stopped = worker.stop();
  hold.open();
  expect(await worker.handled()).toBe('kept');
  await stopped;
  expect(refused()).toBe(allAttempts);
  const record = await desk.record(agentId);
  expect(record).toMatchObject({ deaths: 0, status: 'running' });
  expect(record).not.toHaveProperty('leaseToken');
  const next = await startTestWorker(ground.settings, desk.queues);
  expect((await desk.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  expect(await desk.record(agentId)).toMatchObject({ deaths: 0, status: 'succeeded' });
  await next.stop();
});
