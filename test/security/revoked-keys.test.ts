import { createKey, revokeKey } from '@errand/accounts';
import { awsSettings } from '@errand/local/testing';
import { createAwsClients, limits } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { expect, test, vi } from 'vitest';
import type { Desk } from '../faults/support/desk.ts';
import { everythingRun } from '../faults/support/everything-run.ts';
import { holdFirst } from '../faults/support/evidence.ts';
import type { Ground } from '../faults/support/ground.ts';
import { eventually } from '../support/eventually.ts';
import { type Admin, useGroundWithAdmin } from './support/admin.ts';
import { openReader, openSilent } from './support/reader.ts';
import { type Scene, startScene, startWorker } from './support/scene.ts';

let ground: Ground;
let admin: Admin;
useGroundWithAdmin((started) => ({ ground, admin } = started));

/** As another process would. */
async function revoke({ keyId, time }: Scene): Promise<void> {
  const settings = awsSettings(ground.settings.endpoints);
  const { dynamodb, sqs } = createAwsClients(settings);
  await revokeKey({ dynamodb, tables: settings.tables, clock: time.clock }, keyId);
  dynamodb.destroy();
  sqs.destroy();
}

async function expectEnded({ desk, agentId }: Scene, message: string, charges: string[]): Promise<void> {
  expect(await desk.record(agentId)).toMatchObject({ status: 'failed', error: message });
  const charged = await desk.charged(agentId);
  expect(charged.ids).toEqual(charges);
  expect(charged.spentNanoEuro).toBe(charged.sumNanoEuro);
}

const revoked = 'The API key was revoked.';
const forced = ['forced-0-0', 'forced-1-0'];

test('the interval between two reads of a key leaves a second for the read', () => {
  expect(limits.keyCheckMilliseconds + 1_000).toBeLessThanOrEqual(limits.keyCacheMilliseconds);
});

test('a run in the middle of a model call, and its streams in two processes, end when its key is revoked in a third', async () => {
  const scene = await startScene(ground, 'revoked-running');
  const { desk, agentId, time } = scene;
  const colleague = await desk.colleague();
  const hold = holdFirst(scene, 'completion-2');
  const worker = await startWorker(scene);
  const readers = [await openReader(desk.request, agentId), await openReader(colleague.request, agentId)];
  await hold.asked;
  await readers[0]!.until(1);
  // The watches of three processes, a reservation, and the places of two streams.
  await eventually(() => time.timers()).toBe(6);
  await revoke(scene);
  time.advance(limits.keyCheckMilliseconds);
  for (const reader of readers) {
    const types = (await reader.ended).map(({ type }) => type);
    expect(types[0]).toBe('step_start');
    expect(types).not.toContain('done');
  }
  expect(await worker.handled()).toBe('deleted');
  await expectEnded(scene, revoked, ['broken-off-1-0', 'completion-1', ...forced]);
  hold.open();
  await worker.stop();
  expect(time.timers()).toBe(0);
  colleague.close();
  desk.close();
});

test("the account's other keys, their streams and runs notice nothing when a key is revoked", async () => {
  const scene = await startScene(ground, 'revoked-one');
  const { desk, time } = scene;
  const { key } = await createKey(accountsDeps(desk.parts), { accountId: desk.accountId, label: 'new' });
  const withNew: Desk['request'] = (path, init) =>
    desk.request(path, { ...init, headers: { Authorization: `Bearer ${key}` } });
  const label = 'revoked-other';
  const started = await withNew('/v1/agents/runs', {
    method: 'POST',
    body: JSON.stringify(everythingRun(ground.outside, label)),
  });
  const { agentId } = (await started.json()) as { agentId: string };
  const holds = [holdFirst(scene, 'completion-2'), holdFirst({ ground, label }, 'completion-2')];
  const worker = await startWorker(scene);
  const reader = await openReader(withNew, agentId);
  await Promise.all(holds.map(({ asked }) => asked));
  // The worker's watches of two keys and its two reservations, the other process's watch of one, and the place of its stream.
  await eventually(() => time.timers()).toBe(6);
  await revoke(scene);
  time.advance(limits.keyCheckMilliseconds);
  expect(await worker.handled()).toBe('deleted');
  expect(await desk.record(scene.agentId)).toMatchObject({ status: 'failed', error: revoked });
  time.advance(10 * limits.keyCheckMilliseconds);
  for (const { open } of holds) open();
  expect((await reader.ended).at(-1)?.type).toBe('done');
  expect((await withNew('/v1/agents')).status).toBe(200);
  await worker.stop();
  desk.close();
});

test('a queued run of a revoked key is ended by the worker that gets it, before any call', async () => {
  const scene = await startScene(ground, 'revoked-queued');
  await revoke(scene);
  const worker = await startWorker(scene);
  expect(await worker.handled()).toBe('deleted');
  await expectEnded(scene, revoked, []);
  expect(ground.outside.asked.filter(({ label }) => label === 'revoked-queued')).toEqual([]);
  await worker.stop();
  scene.desk.close();
});

test('the command that revokes a key ends its runs that wait for a worker, and leaves the others to their workers', async () => {
  const scene = await startScene(ground, 'revoked-waiting');
  const { desk, time, keyId } = scene;
  const hold = holdFirst(scene, 'completion-2');
  const worker = await startWorker(scene);
  await hold.asked;
  const waiting = await desk.colleague(time.clock, await ground.newQueues());
  const waitingId = await waiting.start({ question: 'Wait.' });
  expect(await admin('key', 'revoke', keyId)).toMatchObject({ keyId, runsEnded: 1 });
  expect(await desk.record(waitingId)).toMatchObject({ status: 'failed', error: revoked });
  expect(await desk.record(scene.agentId)).toMatchObject({ status: 'running' });
  time.advance(limits.keyCheckMilliseconds);
  expect(await worker.handled()).toBe('deleted');
  await expectEnded(scene, revoked, ['broken-off-1-0', 'completion-1', ...forced]);
  hold.open();
  await worker.stop();
  waiting.close();
  desk.close();
});

test('a stream that a cached key could still open ends within the time of the cache', async () => {
  const scene = await startScene(ground, 'revoked-cached');
  const { desk, agentId, time } = scene;
  await desk.request('/v1/agents');
  await revoke(scene);
  time.advance(limits.keyCacheMilliseconds - 1);
  const reader = await openReader(desk.request, agentId);
  await eventually(() => time.timers()).toBe(2);
  time.advance(1);
  expect(await reader.ended).toEqual([]);
  expect((await desk.request('/v1/agents')).status).toBe(401);
  desk.close();
});

test('a reader who does not read is cut off when the key is revoked', async () => {
  const scene = await startScene(ground, 'revoked-silent');
  const { desk, time } = scene;
  const label = 'revoked-long';
  ground.outside.script(label, () => ({ text: 'It is noon. '.repeat(100_000) }));
  const agentId = await desk.start({ question: `When? [${label} run]` });
  const worker = await startWorker(scene);
  for (let ended = 0; ended < 2; ended++) expect(await worker.handled()).toBe('deleted');
  await worker.stop();
  const silent = await openSilent(desk.request, agentId);
  await revoke(scene);
  time.advance(limits.keyCheckMilliseconds);
  await eventually(() => time.timers()).toBe(0);
  const read = await Promise.allSettled([silent.readOn()]);
  expect(read.map(({ status }) => status)).toEqual(['rejected']);
  desk.close();
});

test('a key that cannot be read ends nothing, and the next read that succeeds does', async () => {
  const scene = await startScene(ground, 'revoked-unread');
  const { desk, agentId, time } = scene;
  const reader = await openReader(desk.request, agentId);
  await eventually(() => time.timers()).toBe(2);
  await revoke(scene);
  const { dynamodb } = desk.parts.aws;
  const send = dynamodb.send.bind(dynamodb) as (command: object) => Promise<unknown>;
  const failed = Promise.withResolvers<void>();
  const sending = vi.spyOn(dynamodb, 'send') as unknown as {
    mockImplementation(send: (command: { input?: { Key?: { sk?: string } } }) => Promise<unknown>): void;
  };
  sending.mockImplementation(async (command) => {
    if (!command.input?.Key?.sk?.startsWith('KEY#')) return send(command);
    failed.resolve();
    throw new Error('the table is busy');
  });
  time.advance(limits.keyCheckMilliseconds);
  await failed.promise;
  vi.restoreAllMocks();
  expect([reader.over(), time.timers()]).toEqual([false, 2]);
  time.advance(limits.keyCheckMilliseconds);
  expect(await reader.ended).toEqual([]);
  expect(time.timers()).toBe(0);
  desk.close();
});
