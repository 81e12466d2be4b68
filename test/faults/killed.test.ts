import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  committedWork,
  expectUndisturbed,
  failuresOf,
  isWrite,
  type Reference,
  readLater,
  startSubject,
  tellingPoints,
  timesAsked,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { nameOf, type Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { type Doom, ended, spawnWorker, startTestWorker } from './support/workers.ts';

let ground: Ground;
let reference: Reference;

beforeAll(async () => {
  ground = await startGround();
  reference = await undisturbedRun(ground);
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

/** Kills a worker process at this call and lets a second worker take over. */
async function killAt(point: Point & Doom): Promise<void> {
  const subject = await startSubject(ground, `${nameOf(point)}-${point.moment}`.replace(/\W+/g, '-'));
  const { desk, agentId } = subject;
  expect(await ended(await spawnWorker(ground.settings, desk.queues, point))).toBe('SIGKILL');
  const committed = await committedWork(subject);
  const before = timesAsked(subject, committed.asked);
  if ((await desk.read(agentId)).status === 'queued') await readLater(subject);
  let saves = 0;
  const countSaves = ({ kind }: Point) => {
    if (kind === 'save value') saves++;
  };
  const second = await startTestWorker(ground.settings, desk.queues, { hooks: { before: countSaves } });
  try {
    await expectUndisturbed(subject, reference);
    expect(timesAsked(subject, committed.asked)).toEqual(before);
    expect(saves).toBeLessThanOrEqual(2 - committed.saves);
  } finally {
    await second.stop();
    desk.close();
  }
}

test('the run that is killed uses every tool and has these commit points', () => {
  const kinds = Map.groupBy(reference.points, ({ kind }) => kind);
  expect(kinds.get('commit')).toHaveLength(23);
  expect([...kinds.keys()].toSorted()).toEqual([
    'claim',
    'commit',
    'delete message',
    'hide message',
    'keep material',
    'read Accounts',
    'read Runs',
    'read Values',
    'save file',
    'save value',
    'store checkpoint',
    'store event',
  ]);
});

const atOnce = 3;

// The store before a commit is the store after the previous one. Kills after every commit, with the kills below, thus
// cover every state that a death can leave. stalled.test.ts covers both moments of every commit with stalled workers.
test('a worker process killed with SIGKILL after any commit costs nothing and repeats nothing', async () => {
  const commits = reference.points.filter(({ kind }) => kind === 'commit');
  const dooms = commits.map((point) => ({ ...point, moment: 'after' as const }));
  expect(await failuresOf(dooms, atOnce, killAt)).toEqual([]);
});

test('a worker process that is killed before or after each other kind of write does the same', async () => {
  const writes = tellingPoints(reference).filter((point) => isWrite(point) && point.kind !== 'commit');
  const dooms = writes.flatMap((point) =>
    (['before', 'after'] as const).map((moment) => ({ ...point, moment })),
  );
  expect(await failuresOf(dooms, atOnce, killAt)).toEqual([]);
});
