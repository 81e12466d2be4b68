import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
  countDooms,
  deathsBeforeCommits,
  expectUndisturbed,
  failuresOf,
  isWrite,
  oneDoomEach,
  type Reference,
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

/** The error that the SDK throws after its last retry. */
const serverFault = () =>
  Object.assign(new Error('scripted'), {
    name: 'InternalServerError',
    $fault: 'server',
    $metadata: { httpStatusCode: 500 },
  });

const lostAnswer = () => Object.assign(new Error('scripted'), { name: 'TimeoutError' });

/** The tools that make these calls. If such a call fails, the model reads the failure as the tool's result. */
const toolOf: Record<string, string> = {
  'save value': 'save_data',
  'save file': 'save_file',
  'read Values': 'read_data',
};

/** The calls of a worker that fail: each of these points is new to it, since a call that failed counts as the next of its kind. */
interface FailingRun extends Case {
  /** The kind of the calls, if the model may read their failure as a tool's result. */
  kind?: string;
}

async function failCalls({ label, dooms, kind = '' }: FailingRun): Promise<void> {
  const subject = await startSubject(ground, label);
  const left = new Set(dooms.map((doom) => `${nameOf(doom)} ${doom.moment}`));
  const failAs = (moment: Doom['moment'], fault: () => Error) => (point: Point) => {
    if (left.delete(`${nameOf(point)} ${moment}`)) throw fault();
  };
  const hooks: Hooks = { before: failAs('before', serverFault), after: failAs('after', lostAnswer) };
  const worker = await startTestWorker(ground.settings, subject.desk.queues, { hooks });
  // A reader would ask the table several times for each commit; those of killed.test.ts read along.
  await worksOff(worker);
  await expectUndisturbed(subject, reference, toolOf[kind]);
  expect([...left]).toEqual([]);
  await worker.stop();
  subject.desk.close();
}

/** A run for every eighth commit, from each of the first eight: the pause after a failure is longer each time. */
const everyEighth = (firsts: readonly number[], moment: Doom['moment']): FailingRun[] => {
  const commits = reference.points.filter(({ kind }) => kind === 'commit').length;
  return firsts.map((first) => ({
    label: `every-eighth-from-${first}-${moment}`,
    dooms: Array.from({ length: Math.ceil((commits - first + 1) / 8) }, (_, i) => ({
      kind: 'commit',
      // A commit that failed before it was made is made as the next one.
      ordinal: first + i * (moment === 'before' ? 9 : 8),
      moment,
    })),
  }));
};

/** A run for the last call of each kind that is no commit. */
const others = (points: readonly Point[], moment: Doom['moment']): FailingRun[] =>
  points
    .filter(({ kind }) => kind !== 'commit')
    .flatMap((point) => oneDoomEach([point], [moment]).map((each) => ({ ...each, kind: point.kind })));

const atOnce = 6;

test('a run goes on from its last commit after any call to AWS failed', async () => {
  const commits = everyEighth([1, 2, 3, 4, 5, 6, 7, 8], 'before');
  expect(countDooms(commits)).toBe(18);
  const runs = [...commits, ...others(tellingPoints(reference), 'before')];
  expect(await failuresOf(runs, atOnce, failCalls)).toEqual([]);
});

test('a run does and charges nothing twice if the answer of any write is lost', async () => {
  // Before each commit a call fails above. An answer that is lost is the same for every second one, and for the last.
  const commits = everyEighth([1, 3, 5, 7, 18], 'after');
  expect(countDooms(commits)).toBe(10);
  const runs = [...commits, ...others(tellingPoints(reference).filter(isWrite), 'after')];
  expect(await failuresOf(runs, atOnce, failCalls)).toEqual([]);
});

test.concurrent.each([
  { whose: "AWS's own failure, three times in a row, is no death", fault: serverFault, deaths: 0, times: 3 },
  { whose: 'a failure of our own is a death', fault: () => new TypeError('scripted'), deaths: 1, times: 1 },
])('$whose', async ({ fault, deaths, times }) => {
  const subject = await startSubject(ground, `deaths-${deaths}`);
  const { seen, hooks } = deathsBeforeCommits(subject);
  const before = async (point: Point) => {
    await hooks.before?.(point);
    if (point.kind === 'commit' && point.ordinal > 3 && point.ordinal <= 3 + times) throw fault();
  };
  const worker = await startTestWorker(ground.settings, subject.desk.queues, { hooks: { before } });
  await expectUndisturbed(subject, reference);
  expect(seen.slice(3, 3 + times + 1)).toEqual([0, ...Array.from({ length: times }, () => deaths)]);
  expect(await subject.desk.record(subject.agentId)).toMatchObject({ deaths: 0 });
  await worker.stop();
});
