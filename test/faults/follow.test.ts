import { revokeKey, updateKey } from '@errand/accounts';
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

/** What a run reads before its model sees the question: a recording that was sent, one at an address, and an image. */
async function sendFiles(desk: Desk, label: string, previousRunId?: string): Promise<string> {
  const { url } = ground.outside;
  const form = new FormData();
  if (previousRunId !== undefined) form.set('previousRunId', previousRunId);
  form.set('question', `What is said? [${label} run]`);
  form.set('audioUrl', `${url}/recording/${label}/${label}--web.mp3`);
  form.set('documentUrl', `${url}/image/${label}/pier.png`);
  form.set('file', new Blob(['not really a recording']), `${label}--sent.mp3`);
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('Content-Type') ?? '' };
  const created = await desk.request('/v1/agents/runs', {
    method: 'POST',
    body: await sent.arrayBuffer(),
    headers,
  });
  expect(created.status).toBe(202);
  return ((await created.json()) as { agentId: string }).agentId;
}

/** Has a worker make so many commits of the run, and cancels it then. */
async function stopAfter(desk: Desk, agentId: string, commits: number): Promise<void> {
  if (commits > 0) {
    const stopped = Promise.withResolvers<void>();
    let left = commits;
    const after = ({ kind }: Point) => {
      if (kind === 'commit' && --left === 0) stopped.resolve(worker.stop());
    };
    const worker = await startTestWorker(ground.settings, desk.queues, { hooks: { after } });
    await stopped.promise;
  }
  await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  expect(await desk.read(agentId)).toMatchObject({ status: 'failed' });
}

const readingsAsked = ['image:pier.png', 'recording', 'speech:sent', 'speech:web', 'vision:run'];

// The first commit says what is read, each of the next three has read a file.
test.each([
  [[0, 0], undefined],
  [[0, 2], 'Who says it?'],
  [[1, 1], undefined],
  [[2, 0], undefined],
  [[2, 1], 'Who says it?'],
  [[3, 1], undefined],
  [[4, 0], undefined],
])(
  'a run that is stopped after %j commits, and followed, reads each of its files once and pays once',
  async (stops, asks) => {
    const label = `unread-${stops.join('-')}`;
    const desk = await openDesk(ground);
    let told = '';
    ground.outside.script(label, (number, last) => {
      if (number === 1) told = last;
      return { text: 'Boats are.' };
    });
    const chain = [await sendFiles(desk, label)];
    for (const commits of stops) {
      const before = chain.at(-1)!;
      await stopAfter(desk, before, commits);
      const question = asks && `${asks} [${label} run]`;
      chain.push(await desk.start({ previousRunId: before, question }));
      expect((await desk.request(`/v1/agents/runs/${before}`, { method: 'DELETE' })).status).toBe(204);
    }
    const worker = await startTestWorker(ground.settings, desk.queues);
    expect((await desk.follow(chain.at(-1)!)).at(-1)).toMatchObject({ type: 'done' });
    await worker.stop();
    const asked = ground.outside.asked.filter((each) => each.label === label).map(({ what }) => what);
    const read = asked.filter((what) => !what.startsWith('completion'));
    expect(read.map((what) => what.replace(/^recording.*/, 'recording')).toSorted()).toEqual(readingsAsked);
    expect(told.match(/Welcome aboard\./g)).toHaveLength(2);
    expect(told).toContain(`A harbour at ${label}.`);
    const charged = await Promise.all(chain.map((agentId) => desk.charged(agentId)));
    const ids = charged.flatMap((each) => each.ids).filter((id) => !id.startsWith('completion'));
    expect(ids.map((id) => id.replace(/\d-0$/, ''))).toEqual(['forced-', 'forced-', 'forced-']);
  },
);

test('a follow-up that has a recording of the run before is made once by a key, or leaves no object', async () => {
  const desk = await openDesk(ground);
  const previousRunId = await sendFiles(desk, 'copied');
  await stopAfter(desk, previousRunId, 0);
  const before = await objectsOf(desk);
  const failing = await desk.colleague();
  hookCalls(failing.parts.aws, failing.parts.files, {
    before({ kind }) {
      if (kind === 'send message') throw new Error('scripted');
    },
  });
  expect((await create(failing, { previousRunId })).status).toBe(503);
  const broken = await desk.colleague();
  wrapFiles(broken.parts.files, async ({ method }, call) => {
    const answer = await call();
    if (method === 'copy') throw new Error('scripted');
    return answer;
  });
  expect((await create(broken, { previousRunId })).status).toBe(503);
  expect(await objectsOf(desk)).toEqual(before);
  const idOf = async (response: Response) => ((await response.json()) as { agentId: string }).agentId;
  const agentId = await idOf(await create(desk, { previousRunId }, 'once'));
  expect(await idOf(await create(desk, { previousRunId }, 'once'))).toBe(agentId);
  const uploads = (keys: string[]) => keys.filter((key) => key.startsWith('uploads/'));
  const after = uploads(await objectsOf(desk)).filter((key) => !before.includes(key));
  expect(after).toEqual([expect.stringContaining(agentId)]);
  // It is not kept for each branch.
  expect(uploads(await objectsOf(desk)).filter((key) => key.includes(previousRunId))).toEqual([]);
  const gone = await create(desk, { previousRunId });
  expect([gone.status, await gone.text()]).toEqual([502, expect.stringContaining('The recording is gone')]);
  const own = await sendFiles(desk, 'copied', previousRunId);
  const { keyId } = (await desk.record(own)) as unknown as { keyId: string };
  await updateKey(accountsDeps(desk.parts), keyId, { models: ['writer'] });
  await stopAfter(desk, own, 0);
  expect((await create(desk, { previousRunId: own })).status).toBe(403);
});
