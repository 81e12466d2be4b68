import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openDesk } from '../support/desk.ts';
import { type InvocationHouse, startHouse } from '../support/invocation-house.ts';

let house: InvocationHouse;

beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.close());

const invocations = 2;
const noisyRuns = 40;

test('a run of another account begins beside an account whose runs fill the queue, before any of them has ended', async () => {
  const { ground, batch } = house;
  const { outside } = ground;
  const desk = await openDesk(ground);
  const noisy = Array.from({ length: noisyRuns }, (_, i) => `noisy-${i}`);
  const ids = await Promise.all(noisy.map((label) => desk.start({ question: `Work [${label} run]` })));
  const open = outside.hold(({ label }) => label.startsWith('noisy'));
  const begun = () => [...new Set(outside.asked.map(({ label }) => label))];
  const source = house.start({ maximumConcurrency: invocations });
  await eventually(() => begun().length).toBe(invocations * batch);

  const other = desk.as(await ground.newAccount());
  const agentId = await other.start({ question: 'Work [small run]' });
  const asked = outside.nextAsked(({ label }) => label === 'small');
  await asked;
  expect(begun()).toHaveLength(invocations * batch + 1);
  expect((await other.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });

  open();
  for (const id of ids) await desk.follow(id);
  await house.expectEmptyQueue();
  await source.stop();
  other.close();
  desk.close();
});
