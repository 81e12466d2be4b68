import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
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
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { type Hooks, nameOf, type Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { type Doom, startTestWorker, type TestWorker, worksOff } from './support/workers.ts';

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

/** Hooks of a worker that stops at one call, heartbeats too, until `wake` is called. Then it goes on where it was. */
function sleeper(doom: Doom) {
  const asleep = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  let isAsleep = false;
  const fallAsleepAt = (moment: Doom['moment']) => (point: Point) => {
    if (doom.moment !== moment || nameOf(doom) !== nameOf(point)) return;
    isAsleep = true;
    asleep.resolve();
    return woken.promise;
  };
  const hooks: Hooks = {
    before: fallAsleepAt('before'),
    after: fallAsleepAt('after'),
    gate: () => (isAsleep ? woken.promise : Promise.resolve()),
  };
  return { hooks, asleep: asleep.promise, wake: woken.resolve };
}

/** Has the workers of a run fall asleep in turn. Another finishes the run, and then all of them go on. */
async function stallWorkers({ label, dooms }: Case): Promise<void> {
  const subject = await startSubject(ground, label);
  const { desk, agentId } = subject;
  const sleepers: { worker: TestWorker; wake: () => void }[] = [];
  for (const doom of dooms) {
    const { hooks, asleep, wake } = sleeper(doom);
    sleepers.push({ worker: await startTestWorker(ground.settings, desk.queues, { hooks }), wake });
    await asleep;
  }
  const { status } = await desk.read(agentId);
  if (status === 'queued') await readLater(subject);
  const last = await startTestWorker(ground.settings, desk.queues);
  if (status !== 'succeeded') await worksOff(last);
  for (const { wake } of sleepers) wake();
  for (const { worker } of [...sleepers, { worker: last }]) await worker.stop();
  // The sleepers are awake and have stopped, so anything that they wrote late would be found here.
  await expectUndisturbed(subject, reference);
  desk.close();
}

const otherWrites = () =>
  tellingPoints(reference).filter((point) => isWrite(point) && point.kind !== 'commit');

test('a worker that stalls before any write until another has finished the run changes nothing when it goes on', async () => {
  // Every second commit.
  const commits = manyDoomsEach(reference, 'before', { firsts: [1, 3, 5], stride: 6 });
  expect(countDooms(commits)).toBe(9);
  const cases = [...commits, ...oneDoomEach(otherWrites(), ['before'])];
  expect(await failuresOf(cases, 6, stallWorkers)).toEqual([]);
});

test('a worker that stalls between a write and its answer until another has finished the run changes nothing when it goes on', async () => {
  // The moment after a commit is nearly the moment before the next one, so that these fill the gaps of those above.
  const commits = manyDoomsEach(reference, 'after', { firsts: [2, 6], stride: 8 });
  expect(countDooms(commits)).toBe(5);
  const cases = [...commits, ...oneDoomEach(otherWrites(), ['after'])];
  expect(await failuresOf(cases, 6, stallWorkers)).toEqual([]);
});
