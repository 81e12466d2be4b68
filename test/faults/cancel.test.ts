import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdFirst, type Subject, startSubject } from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

async function cancel({ desk, agentId }: Subject): Promise<{ code: number; status: string }> {
  const response = await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  return { code: response.status, status: ((await response.json()) as { status: string }).status };
}

/** Expects that the run ended as cancelled and that exactly these charges were made. */
async function expectCancelled({ desk, agentId }: Subject, charges: string[]): Promise<void> {
  const events = await desk.follow(agentId);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  expect(events.at(-1)).toEqual({ id: events.length, type: 'error', message: 'Cancelled' });
  expect(events.filter(({ type }) => type === 'error' || type === 'done')).toHaveLength(1);
  expect(await desk.read(agentId)).toMatchObject({ status: 'failed', error: 'Cancelled' });
  const charged = await desk.charged(agentId);
  expect(charged.ids).toEqual(charges);
  expect(charged.spentNanoEuro).toBe(charged.sumNanoEuro);
}

/** Follows the run until it has `count` charges. */
async function untilCharged({ desk, agentId }: Subject, count: number): Promise<void> {
  const { body } = await desk.request(`/v1/agents/runs/${agentId}/stream`);
  if (!body) throw new Error('no stream');
  for await (const _ of body) if ((await desk.charged(agentId)).ids.length >= count) return;
}

const forced = ['forced-0-0', 'forced-1-0'];
const all = ['completion-1', 'completion-2', 'completion-3', 'completion-4', 'completion-5'];

test.concurrent('a queued run ends at once when it is cancelled, and the worker that gets its message calls nothing', async () => {
  const subject = await startSubject(ground, 'cancel-queued');
  expect(await cancel(subject)).toEqual({ code: 202, status: 'failed' });
  await expectCancelled(subject, []);
  const worker = await startTestWorker(ground.settings, subject.desk.queues);
  expect(await worker.handled()).toBe('deleted');
  expect(ground.outside.asked.filter(({ label }) => label === 'cancel-queued')).toEqual([]);
  await worker.stop();
});

test.concurrent.each([
  {
    where: 'a model call',
    what: 'completion-2',
    charges: ['completion-1', ...forced],
    brokenOff: 'broken-off-1-0',
  },
  {
    where: 'a tool call',
    what: 'speech:b',
    charges: ['completion-1', 'completion-2', ...forced, 'tool-2-5-0'],
    brokenOff: 'broken-off-2-0',
  },
  { where: 'the forced step', what: 'vision:run', charges: ['forced-0-0'], brokenOff: 'broken-off-0-0' },
])(
  'a run that is cancelled in the middle of $where ends without waiting, and its work and the call are charged',
  async ({ what, charges, brokenOff }) => {
    for (const sharedProcess of [true, false]) {
      const subject = await startSubject(ground, `cancel-${what.replace(/\W/g, '-')}-${sharedProcess}`);
      const { desk } = subject;
      const hold = holdFirst(subject, what);
      const options = sharedProcess ? { parts: desk.parts } : {};
      const worker = await startTestWorker(ground.settings, desk.queues, options);
      await hold.asked;
      await untilCharged(subject, charges.length);
      expect(await cancel(subject)).toEqual({ code: 202, status: 'running' });
      await expectCancelled(subject, [brokenOff, ...charges]);
      hold.open();
      await worker.stop();
    }
  },
);

test.concurrent('a run whose worker sees the cancellation only with the last answer ends cancelled, and that answer is charged', async () => {
  const subject = await startSubject(ground, 'cancel-last');
  const hold = holdFirst(subject, 'completion-5');
  // Heartbeats are a third of the lease apart, so none of them tells the worker of the cancellation in time.
  const worker = await startTestWorker(ground.settings, subject.desk.queues, { leaseSeconds: 900 });
  await hold.asked;
  await cancel(subject);
  hold.open();
  await expectCancelled(subject, [...all, ...forced, 'tool-2-5-0', 'tool-2-6-0']);
  await worker.stop();
});

test.concurrent('a finished run does not change when it is cancelled', async () => {
  const subject = await startSubject(ground, 'cancel-finished');
  const worker = await startTestWorker(ground.settings, subject.desk.queues);
  const events = await subject.desk.follow(subject.agentId);
  expect(await cancel(subject)).toEqual({ code: 202, status: 'succeeded' });
  expect(await subject.desk.follow(subject.agentId)).toEqual(events);
  await worker.stop();
});

test.concurrent('a cancelled run whose worker died is ended by the worker that takes over, which calls nothing', async () => {
  const subject = await startSubject(ground, 'cancel-dead');
  const doom = { kind: 'commit', ordinal: 3, moment: 'after' } as const;
  expect(await ended(await spawnWorker(ground.settings, subject.desk.queues, doom))).toBe('SIGKILL');
  await cancel(subject);
  const asked = ground.outside.asked.filter(({ label }) => label === 'cancel-dead').length;
  const worker = await startTestWorker(ground.settings, subject.desk.queues);
  await expectCancelled(subject, forced);
  expect(ground.outside.asked.filter(({ label }) => label === 'cancel-dead')).toHaveLength(asked);
  await worker.stop();
});

test.concurrent('a run that is cancelled three times at once ends once', async () => {
  const subject = await startSubject(ground, 'cancel-thrice');
  await Promise.all([cancel(subject), cancel(subject), cancel(subject)]);
  await expectCancelled(subject, []);
});
