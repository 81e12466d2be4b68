import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deathsBeforeCommits,
  expectUndisturbed,
  failuresOf,
  isWrite,
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

async function failAt(doom: Point & Doom): Promise<void> {
  const subject = await startSubject(ground, `${nameOf(doom)}-${doom.moment}`.replace(/\W+/g, '-'));
  const failAs = (moment: Doom['moment'], fault: () => Error) => (point: Point) => {
    if (doom.moment === moment && nameOf(doom) === nameOf(point)) throw fault();
  };
  const hooks: Hooks = { before: failAs('before', serverFault), after: failAs('after', lostAnswer) };
  const worker = await startTestWorker(ground.settings, subject.desk.queues, { hooks });
  // A reader would ask the table several times for each commit; those of killed.test.ts read along.
  await worksOff(worker);
  await expectUndisturbed(subject, reference, toolOf[doom.kind]);
  await worker.stop();
  subject.desk.close();
}

const atOnce = 3;

test('a run goes on from its last commit after any call to AWS failed', async () => {
  const dooms = tellingPoints(reference).map((point) => ({ ...point, moment: 'before' as const }));
  expect(await failuresOf(dooms, atOnce, failAt)).toEqual([]);
});

test('a run does and charges nothing twice if the answer of any write is lost', async () => {
  const writes = tellingPoints(reference).filter(isWrite);
  // Before each commit a call fails above. An answer that is lost is the same for every second one.
  const some = writes.filter(({ kind, ordinal }) => kind !== 'commit' || ordinal % 2 === 0);
  const dooms = some.map((point) => ({ ...point, moment: 'after' as const }));
  expect(await failuresOf(dooms, atOnce, failAt)).toEqual([]);
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
