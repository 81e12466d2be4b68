import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
  countDooms,
  expectUndisturbed,
  failuresOf,
  manyDoomsEach,
  type Reference,
  startSubject,
  timesAsked,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { killWorkers } from './support/kill-workers.ts';
import type { Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
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

const kill = (one: Case): Promise<void> =>
  killWorkers(
    {
      ground,
      reference,
      runOf: valueRun,
      committed: async ({ desk, agentId }) =>
        (await desk.charged(agentId)).ids.filter((id) => id.startsWith('completion-')),
      expectEnd: async ({ desk, agentId }) =>
        expect(await desk.read(agentId)).toMatchObject({
          basis: [{ pointer: '/tide' }, { pointer: '/ducats' }],
        }),
    },
    one,
  );

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
  expect(await failuresOf(cases, 3, kill)).toEqual([]);
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
