import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
  committedWork,
  countDooms,
  expectUndisturbed,
  failuresOf,
  isWrite,
  manyDoomsEach,
  oneDoomEach,
  type Reference,
  readLater,
  startSubject,
  tellingPoints,
  timesAsked,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import type { Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

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

/** Kills the worker processes of a run in turn, and lets another worker finish it. */
async function killWorkers({ label, dooms }: Case): Promise<void> {
  const subject = await startSubject(ground, label);
  const { desk, agentId } = subject;
  const kept: { asked: string[]; times: number[] }[] = [];
  let saves = 0;
  let mostSaves = 2;
  const countSaves = (told: unknown) => {
    if (told === 'save value') saves++;
  };
  const nextLife = async () => {
    expect(saves).toBeLessThanOrEqual(mostSaves);
    saves = 0;
    const { asked, saves: committed } = await committedWork(subject);
    mostSaves = 2 - committed;
    kept.push({ asked, times: timesAsked(subject, asked) });
  };
  for (const doom of dooms) {
    const child = await spawnWorker(ground.settings, desk.queues, doom);
    child.on('message', countSaves);
    expect(await ended(child)).toBe('SIGKILL');
    await nextLife();
  }
  if ((await desk.read(agentId)).status === 'queued') await readLater(subject);
  const hooks = { before: ({ kind }: Point) => countSaves(kind) };
  const last = await startTestWorker(ground.settings, desk.queues, { hooks });
  try {
    await expectUndisturbed(subject, reference);
    expect(saves).toBeLessThanOrEqual(mostSaves);
    for (const { asked, times } of kept) expect(timesAsked(subject, asked)).toEqual(times);
  } finally {
    await last.stop();
    desk.close();
  }
}

test('the run that is killed uses every tool and has these commit points', () => {
  const kinds = Map.groupBy(reference.points, ({ kind }) => kind);
  expect(kinds.get('commit')).toHaveLength(18);
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
  const cases = manyDoomsEach(reference, 'after', { firsts: [1, 2, 3], stride: 3 });
  expect(countDooms(cases)).toBe(18);
  expect(await failuresOf(cases, atOnce, killWorkers)).toEqual([]);
});

test('a worker process that is killed before or after each other kind of write does the same', async () => {
  const writes = tellingPoints(reference).filter((point) => isWrite(point) && point.kind !== 'commit');
  expect(await failuresOf(oneDoomEach(writes, ['before', 'after']), atOnce, killWorkers)).toEqual([]);
});
