import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
  expectUndisturbed,
  failuresOf,
  oneDoomEach,
  type Reference,
  readLater,
  startSubject,
  tellingPoints,
  timesAsked,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { messageRun } from './support/message-run.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;
let reference: Reference;

beforeAll(async () => {
  ground = await startGround();
  reference = await undisturbedRun(ground, messageRun);
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

/** Kills the worker process of a run, and lets another worker finish it. The provider refuses a turn whose thinking is lost. */
async function killWorker({ label, dooms }: Case): Promise<void> {
  const subject = await startSubject(ground, label, messageRun);
  const { desk, agentId } = subject;
  for (const doom of dooms)
    expect(await ended(await spawnWorker(ground.settings, desk.queues, doom))).toBe('SIGKILL');
  const { ids } = await desk.charged(agentId);
  const times = timesAsked(subject, ids);
  if ((await desk.read(agentId)).status === 'queued') await readLater(subject);
  const last = await startTestWorker(ground.settings, desk.queues);
  try {
    await expectUndisturbed(subject, reference);
    expect(timesAsked(subject, ids)).toEqual(times);
  } finally {
    await last.stop();
    desk.close();
  }
}

test('the run that is killed is charged for four completions by Messages, at the price of its provider', () => {
  const { events, charged } = reference;
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'High water is at noon.' });
  expect(charged.ids).toEqual([1, 2, 3, 4].map((number) => `completion-${number}`));
  // 100 tokens of input at 1,000 nano-euro, 40 of them cached, and 10 of output at 2,000.
  expect([charged.sumNanoEuro, charged.spentNanoEuro]).toEqual([480_000, 480_000]);
});

const atOnce = 3;

test('a worker that is killed with SIGKILL before or after any commit of it costs nothing and repeats nothing that was charged', async () => {
  const commits = tellingPoints(reference).filter(({ kind }) => kind === 'commit');
  expect(await failuresOf(oneDoomEach(commits, ['before', 'after']), atOnce, killWorker)).toEqual([]);
});
