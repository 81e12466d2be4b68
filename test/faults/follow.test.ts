import { revokeKey } from '@errand/accounts';
import { limits } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import { wrapFiles } from '../support/files.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { type Ground, startGround } from './support/ground.ts';
import { type Hooks, hookCalls, nameOf, type Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

const isWrite = ({ kind }: Point) => !kind.startsWith('read ');

const create = (desk: Desk, body: object, key?: string) =>
  desk.request('/v1/agents/runs', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });

/** A run that has read a log and saved a file, and asks whether it may save a value. */
async function asking(label: string, given?: Desk) {
  const desk = given ?? (await openDesk(ground));
  const { outside } = ground;
  outside.script(label, (number) => {
    const read = { name: 'document_parse', args: { url: `${outside.url}/document/${label}/a.txt` } };
    const file = { name: 'save_file', args: { filename: 'log.md', content: 'One.' } };
    const save = { name: 'save_data', args: { name: label, value: 'yes' } };
    if (number === 1) return { calls: [read, file] };
    return number === 2 ? { calls: [save] } : { text: 'Low water is at six [1].' };
  });
  const agentId = await desk.start({ question: `Save it [${label} run]`, approve: ['save_data'] });
  const worker = await startTestWorker(ground.settings, desk.queues);
  const end = (await desk.follow(agentId)).at(-1) as unknown as { calls: { id: string }[] };
  await worker.stop();
  const approvals = [{ callId: end.calls[0]!.id, approve: true }];
  const body = { previousRunId: agentId, approve: ['save_data'], approvals };
  return { desk, agentId, body, label };
}

/** The keys of the objects of all runs. */
async function objectsOf({ parts: { files } }: Desk): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of files.list('')) keys.push(...page.map(({ key }) => key));
  return keys.toSorted();
}

/** Works the run off, and expects that it saved the value, asked nothing again and was charged once. */
async function expectWorkedOff(desk: Desk, agentId: string, label: string): Promise<void> {
  const worker = await startTestWorker(ground.settings, desk.queues);
  const events = await desk.follow(agentId);
  await worker.stop();
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  expect(events.filter(({ type }) => type === 'tool_result')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'done' });
  const { asked } = ground.outside;
  const own = asked.filter((each) => each.label === label).map(({ what }) => what);
  expect(own.filter((what) => what.startsWith('document'))).toHaveLength(1);
  const charged = await desk.charged(agentId);
  expect(charged.ids).toEqual(['completion-1', 'completion-2']);
}

test('the creation of a follow-up that dies between any two writes leaves it undone, or done once, and approves once', async () => {
  const points: Point[] = [];
  const watched = await asking('watched');
  const other = await watched.desk.colleague();
  hookCalls(other.parts.aws, other.parts.files, { before: (point) => void points.push(point) });
  expect((await create(other, watched.body)).status).toBe(202);
  const writes = points.filter(isWrite);
  expect(writes.length).toBeGreaterThan(1);
  for (const point of writes) {
    const { desk, body, label } = await asking(`dies-${nameOf(point)}`.replace(/\W+/g, '-'));
    const died = Promise.withResolvers<void>();
    const dying = await desk.colleague();
    const hooks: Hooks = {
      before({ kind, ordinal }) {
        if (kind !== point.kind || ordinal !== point.ordinal) return;
        died.resolve();
        return new Promise(() => {});
      },
    };
    hookCalls(dying.parts.aws, dying.parts.files, hooks);
    void create(dying, body, 'again');
    await died.promise;
    const again = await create(desk, body, 'again');
    expect([nameOf(point), again.status]).toEqual([nameOf(point), 202]);
    const { agentId } = (await again.json()) as { agentId: string };
    expect((await create(desk, body)).status).toBe(409);
    if (point.kind === 'send message') {
      const later = await desk.colleague(() => Date.now() + limits.queuedResendSeconds * 1_000 + 1_000);
      await later.read(agentId);
    }
    await expectWorkedOff(desk, agentId, label);
  }
});

test('a follow-up whose message cannot be sent leaves its approvals to be used', async () => {
  const { desk, body, label } = await asking('unsent');
  const failing = await desk.colleague();
  hookCalls(failing.parts.aws, failing.parts.files, {
    before({ kind }) {
      if (kind === 'send message') throw new Error('scripted');
    },
  });
  expect((await create(failing, body)).status).toBe(503);
  const again = await create(desk, body);
  expect(again.status).toBe(202);
  await expectWorkedOff(desk, ((await again.json()) as { agentId: string }).agentId, label);
});

test('a follow-up whose message arrives, though the sender is told that it did not, is made once', async () => {
  const { desk, body } = await asking('arrived');
  const taken = Promise.withResolvers<void>();
  const hooks: Hooks = {
    after({ kind }) {
      if (kind === 'claim') taken.resolve();
    },
  };
  const worker = await startTestWorker(ground.settings, desk.queues, { hooks });
  const failing = await desk.colleague();
  hookCalls(failing.parts.aws, failing.parts.files, {
    async after({ kind }) {
      if (kind !== 'send message') return;
      await taken.promise;
      throw new Error('scripted');
    },
  });
  const created = await create(failing, body);
  expect(created.status).toBe(202);
  const { agentId } = (await created.json()) as { agentId: string };
  expect((await desk.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  await worker.stop();
  expect((await create(desk, body)).status).toBe(409);
});

test('a follow-up that is not created leaves no object', async () => {
  const { desk, body } = await asking('objects');
  const before = await objectsOf(desk);
  expect(before.join()).toContain('log.md');
  const failing = await desk.colleague();
  hookCalls(failing.parts.aws, failing.parts.files, {
    before({ kind }) {
      if (kind === 'send message') throw new Error('scripted');
    },
  });
  expect((await create(failing, body)).status).toBe(503);
  expect(await objectsOf(desk)).toEqual(before);
  const broken = await desk.colleague();
  wrapFiles(broken.parts.files, async ({ method, key }, call) => {
    const answer = await call();
    if (method === 'copy' && key.includes('log.md')) throw new Error('scripted');
    return answer;
  });
  expect((await create(broken, body)).status).toBe(500);
  expect(await objectsOf(desk)).toEqual(before);
  expect((await create(desk, body)).status).toBe(202);
  const after = await objectsOf(desk);
  expect(after.length).toBeGreaterThan(before.length);
  expect((await create(desk, body)).status).toBe(409);
  expect(await objectsOf(desk)).toEqual(after);
});

test('the work of a follow-up goes on after each commit at which its worker is killed, and makes the approved call once', async () => {
  const { desk, body, label } = await asking('killed');
  const agentId = await desk.start(body);
  // The first commit of each worker ends it.
  for (let left = 5; left > 0; left--)
    expect(
      await ended(
        await spawnWorker(ground.settings, desk.queues, { kind: 'commit', ordinal: 1, moment: 'after' }),
      ),
    ).toBe('SIGKILL');
  await expectWorkedOff(desk, agentId, label);
});

test('a run is continued with no revoked key, and not after it has expired', async () => {
  const clock = heldClock(new Date().toISOString());
  const desk = await openDesk(ground, clock);
  const { agentId, body } = await asking('revoked', desk);
  clock.advance(limits.runReadableSeconds * 1_000 - 1_000);
  const late = await desk.start({ question: 'Why?', previousRunId: agentId });
  await desk.request(`/v1/agents/runs/${late}/cancel`, { method: 'POST' });
  clock.advance(1_000);
  expect((await create(desk, body)).status).toBe(404);
  const { keyId } = (await desk.record(agentId)) as unknown as { keyId: string };
  await revokeKey(accountsDeps(desk.parts), keyId);
  const fresh = await desk.colleague();
  expect((await create(fresh, body)).status).toBe(401);
});
