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

test('the first place that becomes free behind an account that has them all, and many more runs, goes to another account', async () => {
  const { ground, places } = house;
  const { outside } = ground;
  const desk = await openDesk(ground);
  const noisy = Array.from({ length: noisyRuns }, (_, i) => `noisy-${i}`);
  const ids = await Promise.all(
    noisy.map(async (label) => [label, await desk.start({ question: `Work [${label} run]` })] as const),
  );
  const open = outside.hold(({ label }) => label.startsWith('noisy'));
  const begun = () => [...new Set(outside.asked.map(({ label }) => label))];
  const source = house.start({ maximumConcurrency: invocations });
  await eventually(() => begun().length).toBe(invocations * places);

  const other = desk.as(await ground.newAccount());
  const agentId = await other.start({ question: 'Work [small run]' });
  const asked = outside.nextAsked(({ label }) => label === 'small');
  const cancelled = begun()[0] ?? '';
  await desk.request(`/v1/agents/runs/${new Map(ids).get(cancelled)}/cancel`, { method: 'POST' });
  await asked;
  expect(begun()).toHaveLength(invocations * places + 1);
  expect((await other.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });

  open();
  for (const [, id] of ids) await desk.follow(id);
  await source.stop();
  await house.expectEmptyQueue();
  other.close();
  desk.close();
});
