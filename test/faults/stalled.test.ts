import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectUndisturbed,
  failuresOf,
  isWrite,
  type Reference,
  readLater,
  startSubject,
  tellingPoints,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { type Hooks, nameOf, type Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { type Doom, startTestWorker, worksOff } from './support/workers.ts';

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

async function stallAt(doom: Point & Doom): Promise<void> {
  const subject = await startSubject(ground, `${nameOf(doom)}-${doom.moment}`.replace(/\W+/g, '-'));
  const { desk, agentId } = subject;
  const { hooks, asleep, wake } = sleeper(doom);
  const first = await startTestWorker(ground.settings, desk.queues, { hooks });
  await asleep;
  const { status } = await desk.read(agentId);
  if (status === 'queued') await readLater(subject);
  const second = await startTestWorker(ground.settings, desk.queues);
  if (status !== 'succeeded') await worksOff(second);
  wake();
  await first.stop();
  await second.stop();
  // The first worker is awake and has stopped, so anything that it wrote late would be found here.
  await expectUndisturbed(subject, reference);
  desk.close();
}

const changesNothing = async (dooms: (Point & Doom)[]) =>
  expect(await failuresOf(dooms, 6, stallAt)).toEqual([]);

test('a worker that stalls before any write until another has finished the run changes nothing when it goes on', async () => {
  const points = tellingPoints(reference).filter(isWrite);
  const some = points.filter(({ kind, ordinal }) => kind !== 'commit' || ordinal % 2 === 1);
  await changesNothing(some.map((point) => ({ ...point, moment: 'before' })));
});

// The moment after a commit is nearly the moment before the next one, so that these fill the gaps of those above.
test('a worker that stalls between a write and its answer until another has finished the run changes nothing when it goes on', async () => {
  const points = tellingPoints(reference).filter(isWrite);
  const some = points.filter(({ kind, ordinal }) => kind !== 'commit' || ordinal % 4 === 2);
  await changesNothing(some.map((point) => ({ ...point, moment: 'after' })));
});
