import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
  failuresOf,
  oneDoomEach,
  type Reference,
  tellingPoints,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { killWorkers } from './support/kill-workers.ts';
import { messageRun } from './support/message-run.ts';
import { expectSoundBooks } from './support/sound-books.ts';

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

/** The provider refuses a turn whose thinking is lost. */
const kill = (one: Case): Promise<void> =>
  killWorkers(
    {
      ground,
      reference,
      runOf: messageRun,
      committed: async ({ desk, agentId }) => (await desk.charged(agentId)).ids,
    },
    one,
  );

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
  expect(await failuresOf(oneDoomEach(commits, ['before', 'after']), atOnce, kill)).toEqual([]);
});
