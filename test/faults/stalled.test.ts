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
import { type Doom, startTestWorker } from './support/workers.ts';

let ground: Ground;
let reference: Reference;

beforeAll(async () => {
  ground = await startGround();
  reference = await undisturbedRun(ground);
});
afterAll(() => ground.close());

/** A worker that at one call falls silent, heartbeats and all, until it is woken: then it goes on where it was. */
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
  if ((await desk.read(agentId)).status === 'queued') await readLater(subject);
  const second = await startTestWorker(ground.settings, desk.queues);
  await desk.follow(agentId);
  wake();
  await first.stop();
  await second.stop();
  // What the first worker still wrote after it woke up, if it could, is in the evidence.
  await expectUndisturbed(subject, reference);
  await desk.close();
}

test.each(['before', 'after'] as const)(
  'a worker that stalls %s any write until another has finished the run changes nothing when it goes on',
  async (moment) => {
    const dooms = tellingPoints(reference)
      .filter(isWrite)
      .map((point) => ({ ...point, moment }));
    expect(await failuresOf(dooms, 12, stallAt)).toEqual([]);
  },
  300_000,
);
