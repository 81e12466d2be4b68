import { listKeys } from '@errand/accounts';
import { limits } from '@errand/platform';
import { endWaitingRuns } from '@errand/runs';
import { accountsDeps, runsDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import { openDesk } from './support/desk.ts';
import { everythingRun } from './support/everything-run.ts';
import {
  expectUndisturbed,
  type Reference,
  type Subject,
  startSubject,
  timesAsked,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { ended, handledBy, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker, type TestWorker, worksOff } from './support/workers.ts';

// Messages come back in real time, the first one after two seconds.
let ground: Ground;
let reference: Reference;

beforeAll(async () => {
  ground = await startGround();
  reference = await undisturbedRun(ground);
});
afterAll(() => ground.close());

const cutOff = ({ label }: Pick<Subject, 'label'>, what: string) =>
  ground.outside.cutOff((asked) => asked.label === label && asked.what === what);

/** A run that a worker has given back, because the provider resets every connection with this question. */
async function startWaiting(label: string, what = 'completion-2') {
  const subject = await startSubject(ground, label);
  const comeBack = cutOff(subject, what);
  const worker = await startTestWorker(ground.settings, subject.desk.queues);
  expect(await worker.handled()).toBe('kept');
  return { subject, comeBack, worker };
}

async function expectWaiting({ desk, agentId }: Subject): Promise<void> {
  const record = await desk.record(agentId);
  expect(record).toMatchObject({ status: 'running', waitsUntilMilliseconds: expect.any(Number), deaths: 0 });
  expect(record).not.toHaveProperty('leaseToken');
}

async function expectWorkedOff(subject: Subject, worker: TestWorker): Promise<void> {
  await worksOff(worker);
  await expectUndisturbed(subject, reference);
  const record = await subject.desk.record(subject.agentId);
  expect(record).toMatchObject({ deaths: 0 });
  expect(record).not.toHaveProperty('waitsUntilMilliseconds');
  await worker.stop();
  subject.desk.close();
}

const everyQuestion = [
  'completion-1',
  'completion-2',
  'completion-5',
  'speech:forced',
  'speech:b',
  'page:a.html',
];

test.concurrent.each([
  { where: 'its recording', what: 'speech:forced' },
  { where: 'its image', what: 'vision:run' },
  { where: 'a completion', what: 'completion-3' },
  { where: 'its final check', what: 'completion-5' },
])('a run waits for $where without a worker, and makes no call and no charge twice', async ({ what }) => {
  const { subject, comeBack, worker } = await startWaiting(`waits-${what.replace(/\W/g, '-')}`, what);
  await expectWaiting(subject);
  comeBack();
  await expectWorkedOff(subject, worker);
  expect(timesAsked(subject, everyQuestion)).toEqual(everyQuestion.map(() => 1));
});

test.concurrent('a worker process that is killed while its run waits counts no death, and another goes on', async () => {
  const subject = await startSubject(ground, 'wait-killed');
  const comeBack = cutOff(subject, 'completion-2');
  const child = await spawnWorker(ground.settings, subject.desk.queues);
  expect(await handledBy(child)).toBe('kept');
  child.kill('SIGKILL');
  await ended(child);
  await expectWaiting(subject);
  comeBack();
  await expectWorkedOff(subject, await startTestWorker(ground.settings, subject.desk.queues));
});

test.concurrent('a run goes on if its worker is killed before or after it records the wait', async () => {
  // The first call of the forced step, and two readings, the second with the step of the loop.
  const commitsBefore = 3;
  for (const moment of ['before', 'after'] as const) {
    const subject = await startSubject(ground, `wait-${moment}`);
    const comeBack = cutOff(subject, 'completion-1');
    const ordinal = commitsBefore + 1;
    const child = await spawnWorker(ground.settings, subject.desk.queues, {
      kind: 'commit',
      ordinal,
      moment,
    });
    expect(await ended(child)).toBe('SIGKILL');
    const isRecorded = (await subject.desk.record(subject.agentId)).waitsUntilMilliseconds !== undefined;
    expect(isRecorded).toBe(moment === 'after');
    comeBack();
    const worker = await startTestWorker(ground.settings, subject.desk.queues);
    await worksOff(worker);
    await expectUndisturbed(subject, reference);
    if (isRecorded) expect(await subject.desk.record(subject.agentId)).toMatchObject({ deaths: 0 });
    await worker.stop();
  }
});

test.concurrent('a worker that stops while its run waits has nothing to hand over, and another goes on', async () => {
  const { subject, comeBack, worker } = await startWaiting('wait-stopped');
  await worker.stop();
  await expectWaiting(subject);
  comeBack();
  await expectWorkedOff(subject, await startTestWorker(ground.settings, subject.desk.queues));
});

test.concurrent('a waiting run that is cancelled ends at once', async () => {
  const { subject, worker } = await startWaiting('wait-cancelled');
  const { desk, agentId } = subject;
  await worker.stop();
  const response = await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  expect(await response.json()).toMatchObject({ status: 'failed' });
  const events = await desk.follow(agentId);
  expect(events.at(-1)).toEqual({ id: events.length, type: 'error', message: 'Cancelled' });
  expect((await desk.charged(agentId)).ids).toEqual(['completion-1', 'forced-0-0', 'forced-1-0']);
});

test.concurrent.each(['revoked', 'frozen'] as const)(
  'a waiting run whose key is %s ends at once',
  async (end) => {
    const { subject, worker } = await startWaiting(`wait-${end}`);
    const { desk, agentId } = subject;
    await worker.stop();
    const [key] = await listKeys(accountsDeps(desk.parts), desk.accountId);
    expect(await endWaitingRuns(runsDeps(desk.parts), key?.keyId ?? '', end)).toBe(1);
    expect(await desk.record(agentId)).toMatchObject({ status: 'failed' });
  },
);

test.concurrent('runs that wait take no place of a worker: those of another provider go on', async () => {
  const subject = await startSubject(ground, 'wait-many-0');
  const { desk } = subject;
  const others = Array.from({ length: 15 }, (_, i) => `wait-many-${i + 1}`);
  const isDown = ({ label }: { label: string }) => label.startsWith('wait-many-');
  const comeBack = ground.outside.cutOff(isDown);
  const waiting = await Promise.all(others.map((label) => desk.start({ question: `Wait [${label} run]` })));
  const worker = await startTestWorker(ground.settings, desk.queues);
  for (const _ of [subject.agentId, ...waiting]) expect(await worker.handled()).toBe('kept');
  const agentId = await desk.start({ question: 'Go on [goes-on run]' });
  expect((await desk.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  for (const each of waiting)
    expect(await desk.record(each)).toMatchObject({
      status: 'running',
      waitsUntilMilliseconds: expect.any(Number),
    });
  comeBack();
  for (const each of waiting) expect((await desk.follow(each)).at(-1)).toMatchObject({ type: 'done' });
  await worker.stop();
});

/** Reads the stream until it says that the run waits. */
async function untilTold({ desk, agentId }: Subject): Promise<string> {
  const { body } = await desk.request(`/v1/agents/runs/${agentId}/stream`);
  let text = '';
  for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes(waitingComment)) break;
  }
  return text;
}

const waitingComment = ': waiting for the model provider\n\n';

test.concurrent('a reader in the process of the worker is told at once, and once, without an event', async () => {
  const subject = await startSubject(ground, 'told');
  const { desk, agentId } = subject;
  const comeBack = cutOff(subject, 'completion-2');
  const begun = performance.now();
  const whole = desk.request(`/v1/agents/runs/${agentId}/stream`).then((response) => response.text());
  const first = untilTold(subject);
  const worker = await startTestWorker(ground.settings, desk.queues, { parts: desk.parts });
  await first;
  // A reader that comes while the run waits is told at once too.
  await untilTold(subject);
  comeBack();
  await worksOff(worker);
  const told = (await whole).split(waitingComment).length - 1;
  const keptAlive = (await whole).split('keep-alive').length - 1;
  // On a slow machine comments that keep the stream open come between.
  const mostComments = Math.floor((performance.now() - begun) / limits.keepAliveMilliseconds);
  expect(told).toBeGreaterThan(0);
  expect(told - 1 + keptAlive).toBeLessThanOrEqual(mostComments);
  await expectUndisturbed(subject, reference);
  await worker.stop();
});

test.concurrent('a reader in another process is told instead of a keep-alive', async () => {
  const label = 'told-later';
  const clock = heldClock(new Date().toISOString());
  const desk = await openDesk(ground, clock);
  const agentId = await desk.start(everythingRun(ground.outside, label));
  const subject = { ground, desk, agentId, label };
  const told = untilTold(subject);
  const comeBack = cutOff(subject, 'completion-2');
  const worker = await startTestWorker(ground.settings, desk.queues);
  expect(await worker.handled()).toBe('kept');
  clock.advance(limits.keepAliveMilliseconds);
  expect(await told).not.toContain('keep-alive');
  comeBack();
  await expectWorkedOff(subject, worker);
});
