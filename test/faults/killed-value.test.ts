import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
  countDooms,
  expectUndisturbed,
  failuresOf,
  manyDoomsEach,
  type Reference,
  readLater,
  startSubject,
  timesAsked,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import type { Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { valueRun } from './support/value-run.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;
let reference: Reference;

beforeAll(async () => {
  ground = await startGround();
  reference = await undisturbedRun(ground, valueRun);
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

/** Kills the worker processes of a run in turn, and lets another worker finish it. */
async function killWorkers({ label, dooms }: Case): Promise<void> {
  const subject = await startSubject(ground, label, valueRun);
  const { desk, agentId } = subject;
  const kept: { asked: string[]; times: number[] }[] = [];
  for (const doom of dooms) {
    expect(await ended(await spawnWorker(ground.settings, desk.queues, doom))).toBe('SIGKILL');
    const { ids } = await desk.charged(agentId);
    const asked = ids.filter((id) => id.startsWith('completion-'));
    kept.push({ asked, times: timesAsked(subject, asked) });
  }
  if ((await desk.read(agentId)).status === 'queued') await readLater(subject);
  const last = await startTestWorker(ground.settings, desk.queues);
  try {
    await expectUndisturbed(subject, reference);
    for (const { asked, times } of kept) expect(timesAsked(subject, asked)).toEqual(times);
    expect(await desk.read(agentId)).toMatchObject({ basis: [{ pointer: '/tide' }, { pointer: '/ducats' }] });
  } finally {
    await last.stop();
    desk.close();
  }
}

test('the run that is killed writes its value three times in the loop and twice in the check', () => {
  const { events, charged } = reference;
  const texts = events.filter(({ type }) => type === 'text').map(({ text }) => text);
  expect(texts).toHaveLength(3);
  expect(texts[1]).toContain('"ducats":9');
  const completions = Array.from({ length: 7 }, (_, i) => `completion-${i + 1}`);
  expect(charged.ids).toEqual(expect.arrayContaining([...completions, 'proof-1-0']));
});

test('a worker process killed with SIGKILL after any commit, between the repairs of a value too, costs nothing and repeats nothing', async () => {
  const commits = reference.points.filter(({ kind }) => kind === 'commit').length;
  const cases = manyDoomsEach(reference, 'after', { firsts: [1, 2, 3], stride: 3 });
  expect(countDooms(cases)).toBe(commits);
  expect(await failuresOf(cases, 3, killWorkers)).toEqual([]);
});

test('a run with a schema that is handed on after each commit asks for each completion once, and ends as in one worker', async () => {
  const subject = await startSubject(ground, 'handed-on', valueRun);
  const { desk, agentId } = subject;
  let workers = 0;
  for (let status = 'queued'; status !== 'succeeded'; { status } = await desk.read(agentId)) {
    const committing = Promise.withResolvers<void>();
    const before = ({ kind }: Point) => void (kind === 'commit' && committing.resolve());
    const worker = await startTestWorker(ground.settings, desk.queues, {
      hooks: { before },
      leaseSeconds: 60,
    });
    await committing.promise;
    await worker.stop();
    workers++;
  }
  await expectUndisturbed(subject, reference);
  expect(workers).toBeGreaterThan(7);
  const completions = Array.from({ length: 7 }, (_, i) => `completion-${i + 1}`);
  expect(timesAsked(subject, completions)).toEqual(Array(7).fill(1));
  desk.close();
});
