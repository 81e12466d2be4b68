import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventSource } from '../../support/lambda/event-source.ts';
import { expectUndisturbed, type Reference, type Subject } from '../support/evidence.ts';
import { type InvocationHouse, startHouse, undisturbedInvocation } from '../support/invocation-house.ts';
import { expectSoundBooks } from '../support/sound-books.ts';

let house: InvocationHouse;
let reference: Reference;

beforeAll(async () => {
  house = await startHouse();
  reference = await undisturbedInvocation(house);
});
afterAll(async () => {
  await expectSoundBooks(house.ground);
  await house.close();
});

const createRuns = (name: string) => house.createRuns(Array.from({ length: 4 }, (_, i) => `${name}-${i}`));

const runsEnd = (subjects: readonly Subject[]) =>
  Promise.all(subjects.map(({ desk, agentId }) => desk.follow(agentId)));

/** Expects that no message is left, and stops the source: a message may come a second time after its run has ended. */
async function queueEmpties(source: EventSource): Promise<void> {
  await house.expectEmptyQueue();
  await source.stop();
}

/** Expects that each run is like the one that nothing has happened to, in its events and its charges. */
async function expectNothingLost(
  subjects: readonly Subject[],
  expected: (subject: Subject) => Promise<Reference> = async () => reference,
): Promise<void> {
  for (const subject of subjects) {
    await expectUndisturbed(subject, await expected(subject));
    subject.desk.close();
  }
}

const isCommit = (operation: string) => operation === 'TransactWriteItems';

test('environments that are killed with all their runs, before or after a commit, lose and repeat nothing', async () => {
  const subjects = await createRuns('killed');
  const dooms = [7, 12, 19, 30, 9, 24];
  const source = house.start({
    meddle(number, environment) {
      let commits = 0;
      const doomedAt = number % 2 === 0 ? 'before' : 'after';
      return (operation, moment) => {
        if (!isCommit(operation) || moment !== doomedAt || ++commits !== dooms[number - 1]) return;
        process.kill(environment()?.pid ?? 0, 'SIGKILL');
        return 'drop';
      };
    },
  });
  await runsEnd(subjects);
  await queueEmpties(source);
  const killed = source.delivered.filter(({ end }) => end === 'SIGKILL');
  expect(killed.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...killed.map(({ messageIds }) => messageIds.length))).toBeGreaterThan(1);
  await expectNothingLost(subjects);
});

test('an environment that stands still at a commit, and wakes when others have ended its runs, changes nothing', async () => {
  const subjects = await createRuns('frozen');
  const frozen: number[] = [];
  const source = house.start({
    meddle(number, environment) {
      let commits = 0;
      return (operation, moment) => {
        if (number > 2 || moment !== 'before' || !isCommit(operation) || ++commits !== 5 * number) return;
        const pid = environment()?.pid ?? 0;
        frozen.push(pid);
        process.kill(pid, 'SIGSTOP');
        return undefined;
      };
    },
    maximumConcurrency: 4,
  });
  await runsEnd(subjects);
  expect(frozen).toHaveLength(2);
  for (const pid of frozen) process.kill(pid, 'SIGCONT');
  await queueEmpties(source);
  expect(source.delivered.filter(({ pid }) => frozen.includes(pid)).length).toBeGreaterThan(0);
  await expectNothingLost(subjects);
});

test('batches that are all delivered twice, to two environments at once, are worked on once', async () => {
  const subjects = await createRuns('twice');
  const source = house.start({ deliversTwice: () => true });
  await runsEnd(subjects);
  await queueEmpties(source);
  await expectNothingLost(subjects);
});

/** The operator pays what the store did not set aside within a second: how much that is depends on the machine. */
async function withWrittenOff({ desk, agentId }: Subject): Promise<Reference> {
  const { writtenOffNanoEuro } = await desk.charged(agentId);
  const { ids, sumNanoEuro, spentNanoEuro } = reference.charged;
  return {
    ...reference,
    charged: {
      ids,
      sumNanoEuro: sumNanoEuro - writtenOffNanoEuro,
      writtenOffNanoEuro,
      spentNanoEuro: spentNanoEuro - writtenOffNanoEuro,
    },
  };
}

test('a store that throttles a third of what it is asked costs time, and what it does not set aside in time is written off', async () => {
  const subjects = await createRuns('throttled');
  let asked = 0;
  let throttled = 0;
  const source = house.start({
    // A request that is throttled in each of its attempts is a failure, which the run would tell of.
    meddle: () => (operation, moment, attempt) => {
      if (moment === 'after' || attempt > 2 || /Message/.test(operation) || ++asked % 3 > 0) return undefined;
      throttled++;
      return 'throttle';
    },
  });
  await runsEnd(subjects);
  await queueEmpties(source);
  expect(throttled).toBeGreaterThan(50);
  await expectNothingLost(subjects, withWrittenOff);
});

test('runs that outlast their invocation are handed on, and end as they would in one', async () => {
  const subjects = await createRuns('short');
  const { outside } = house.ground;
  const workMilliseconds = 10_000;
  const isSecond = ({ what }: { what: string }) => what === 'completion-2';
  const open = outside.hold(isSecond);
  void outside.nextAsked(isSecond).then(() => setTimeout(open, workMilliseconds));
  const source = house.start({
    timeoutMilliseconds: (number) =>
      number <= 2 ? limits.invocationHandOverMilliseconds + workMilliseconds : 900_000,
  });
  await runsEnd(subjects);
  await queueEmpties(source);
  expect(source.delivered.map(({ end }) => end)).not.toContain('timed out');
  expect(house.outcomes()).toContain('hand-over');
  await expectNothingLost(subjects);
});
