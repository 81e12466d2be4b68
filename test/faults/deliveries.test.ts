import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { queueHandler } from '@errand/runs';
import { workerDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deathsBeforeCommits,
  expectUndisturbed,
  holdFirst,
  type Reference,
  type Subject,
  startSubject,
  timesAsked,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { ended, handledBy, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker, type TestWorker } from './support/workers.ts';

let ground: Ground;
let reference: Reference;

beforeAll(async () => {
  ground = await startGround();
  reference = await undisturbedRun(ground);
});
afterAll(() => ground.close());

async function send({ desk, agentId }: Subject, queueUrl: string): Promise<void> {
  const MessageBody = JSON.stringify({ kind: 'run', agentId });
  await desk.parts.aws.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
}

async function untilDeleted(worker: TestWorker): Promise<void> {
  while ((await worker.handled()) !== 'deleted');
}

const everyQuestion = ['completion-1', 'completion-2', 'completion-5', 'speech:b', 'vision:b', 'page:a.html'];

test.concurrent('a message delivered three times to two workers makes one run', async () => {
  const subject = await startSubject(ground, 'thrice');
  await send(subject, subject.desk.queues.queueUrl);
  await send(subject, subject.desk.queues.queueUrl);
  const workers = await Promise.all(
    [1, 2].map(() => startTestWorker(ground.settings, subject.desk.queues, { leaseSeconds: 60 })),
  );
  await expectUndisturbed(subject, reference);
  expect(timesAsked(subject, everyQuestion)).toEqual(everyQuestion.map(() => 1));
  expect(await subject.desk.record(subject.agentId)).toMatchObject({ deaths: 0 });
  for (const worker of workers) await worker.stop();
});

test.concurrent('a message that waits for a lease is redelivered many times, and no death is counted', async () => {
  const subject = await startSubject(ground, 'waits');
  const { desk, agentId } = subject;
  const hold = holdFirst(subject, 'completion-2');
  const holder = await startTestWorker(ground.settings, desk.queues);
  await hold.asked;
  await send(subject, desk.queues.queueUrl);
  expect(await holder.handled()).toBe('kept');
  expect(await holder.handled()).toBe('kept');
  expect(await holder.handled()).toBe('kept');
  hold.open();
  await expectUndisturbed(subject, reference);
  await untilDeleted(holder);
  expect(await desk.record(agentId)).toMatchObject({ deaths: 0 });
  await holder.stop();
});

test.concurrent("a message that is near the queue's limit of deliveries is replaced by a fresh one", async () => {
  const subject = await startSubject(ground, 'weary');
  const { desk, agentId } = subject;
  const hold = holdFirst(subject, 'completion-2');
  const holder = await startTestWorker(ground.settings, desk.queues);
  await hold.asked;
  const worn = {
    messageId: 'worn',
    receiptHandle: 'worn',
    body: JSON.stringify({ kind: 'run', agentId }),
    attributes: { ApproximateReceiveCount: '500' },
  };
  const deps = workerDeps(desk.parts);
  // The message has no valid receipt, so a request to hide it would fail; the test must not depend on that.
  deps.sqs.middlewareStack.add(
    (next, context) => async (args) =>
      context.commandName === 'ChangeMessageVisibilityCommand'
        ? { output: { $metadata: {} }, response: {} }
        : next(args),
    { step: 'initialize' },
  );
  const window = { stopping: () => false, abandon: new AbortController().signal };
  const fresh = holder.handled();
  expect(await queueHandler(deps)({ Records: [worn] }, window)).toEqual({ batchItemFailures: [] });
  expect(await fresh).toBe('kept');
  hold.open();
  await expectUndisturbed(subject, reference);
  await holder.stop();
});

test.concurrent('a worker stopped with SIGSTOP past its lease and continued cannot write over its successor', async () => {
  const subject = await startSubject(ground, 'stopped');
  const hold = holdFirst(subject, 'completion-2');
  const child = await spawnWorker(ground.settings, subject.desk.queues);
  await hold.asked;
  child.kill('SIGSTOP');
  const { seen, hooks } = deathsBeforeCommits(subject);
  const second = await startTestWorker(ground.settings, subject.desk.queues, { hooks });
  await subject.desk.follow(subject.agentId);
  const handled = handledBy(child);
  child.kill('SIGCONT');
  hold.open();
  expect(await handled).toBe('kept');
  await expectUndisturbed(subject, reference);
  expect(seen[0]).toBe(1);
  child.kill('SIGKILL');
  await ended(child);
  await second.stop();
});

test.concurrent('a run that kills its worker three times ends failed, with an error event and what was done charged', async () => {
  const subject = await startSubject(ground, 'poison');
  const { desk, agentId } = subject;
  const doom = { kind: 'store event', ordinal: 1, moment: 'before' } as const;
  for (const _ of [1, 2, 3])
    expect(await ended(await spawnWorker(ground.settings, desk.queues, doom))).toBe('SIGKILL');
  const last = await startTestWorker(ground.settings, desk.queues);
  const events = await desk.follow(agentId);
  const message = 'The run was stopped because it could not be carried on after several attempts.';
  expect(events.at(-1)).toEqual({ id: events.length, type: 'error', message });
  expect(await desk.read(agentId)).toMatchObject({ status: 'failed', error: message });
  expect((await desk.charged(agentId)).ids).toEqual(['forced-0-0']);
  await last.stop();
});

test.concurrent('a dead-lettered run without a lease ends failed', async () => {
  const subject = await startSubject(ground, 'dead-letter');
  const { desk, agentId } = subject;
  const undertaker = await startTestWorker(ground.settings, desk.queues, { deadLetters: true });
  await send(subject, desk.queues.deadLetterQueueUrl);
  expect((await desk.follow(agentId)).map(({ id, type }) => [id, type])).toEqual([[1, 'error']]);
  expect(await desk.read(agentId)).toMatchObject({ status: 'failed' });
  await undertaker.stop();
});

test.concurrent('a dead-lettered run that is being worked on gets its message back and goes on', async () => {
  const subject = await startSubject(ground, 'undead');
  const { desk, agentId } = subject;
  const hold = holdFirst(subject, 'completion-2');
  const holder = await startTestWorker(ground.settings, desk.queues);
  await hold.asked;
  const undertaker = await startTestWorker(ground.settings, desk.queues, { deadLetters: true });
  const [buried, returned] = [undertaker.handled(), holder.handled()];
  await send(subject, desk.queues.deadLetterQueueUrl);
  expect(await buried).toBe('deleted');
  expect(await returned).toBe('kept');
  hold.open();
  await expectUndisturbed(subject, reference);
  expect(await desk.record(agentId)).toMatchObject({ deaths: 0 });
  await undertaker.stop();
  await holder.stop();
});

test.concurrent.each([
  { when: 'between two commits', what: 'completion-2', abandon: false },
  { when: 'in the middle of a model call', what: 'completion-3', abandon: true },
  { when: 'in the middle of a tool', what: 'speech:b', abandon: true },
  { when: 'in the middle of the forced step', what: 'vision:run', abandon: true },
])('a worker that must stop hands its run on $when, and no death is counted', async ({ what, abandon }) => {
  const subject = await startSubject(ground, `hand-on-${what.replace(/\W/g, '-')}`);
  const { desk, agentId } = subject;
  const hold = holdFirst(subject, what);
  const first = await startTestWorker(ground.settings, desk.queues);
  await hold.asked;
  const stopped = first.stop({ abandon });
  if (!abandon) hold.open();
  await stopped;
  const record = await desk.record(agentId);
  expect(record).toMatchObject({ status: 'running', deaths: 0 });
  expect(record.leaseToken).toBeUndefined();
  const second = await startTestWorker(ground.settings, desk.queues);
  await expectUndisturbed(subject, reference);
  expect(await desk.record(agentId)).toMatchObject({ deaths: 0 });
  hold.open();
  await second.stop();
});
