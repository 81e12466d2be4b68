import { afterAll, beforeAll, expect, test } from 'vitest';
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

const labelsOf = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);

async function expectAllUndisturbed(subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) {
    await expectUndisturbed(subject, reference);
    subject.desk.close();
  }
  await house.expectEmptyQueue();
}

test('environments that are killed at their commits with all their runs cost nothing and repeat nothing', async () => {
  const subjects = await house.createRuns(labelsOf('killed', 6));
  const dooms = [7, 12, 19, 30, 9, 24];
  const source = house.start({
    meddle(number, environment) {
      let commits = 0;
      return (operation, moment) => {
        if (operation !== 'TransactWriteItems' || moment !== (number % 2 === 0 ? 'before' : 'after')) return;
        if (++commits === dooms[number - 1]) process.kill(environment()?.pid ?? 0, 'SIGKILL');
      };
    },
  });
  await Promise.all(subjects.map(({ desk, agentId }) => desk.follow(agentId)));
  await source.stop();
  const ends = source.delivered.map(({ end }) => end);
  console.log(ends, source.delivered.map((d) => d.messageIds.length));
  expect(ends.filter((end) => end === 'SIGKILL').length).toBeGreaterThanOrEqual(dooms.length);
  await expectAllUndisturbed(subjects);
});
