import { deleteItem, limits, putItem } from '@errand/platform';
import { checkSchedules } from '@errand/schedules';
import { nextInstant } from '@errand/schedules/testing';
import { array, asyncProperty, assert as check, constantFrom, integer, option, record } from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { newCaller, startProcess } from './support/processes.ts';
import { endOpenRuns, itemsOf, outcomesOf, runsOf } from './support/stored.ts';

const minute = 60_000;

let dynamo: TestDynamo;
// What a test leaves due would be looked after in the next one.
beforeEach(async () => {
  dynamo = await startTestDynamo();
  return () => dynamo.close();
});

/** Around both changes of daylight saving, and at a time without one. */
const scenes = [
  { from: '2026-03-28T20:00:00Z', timeZone: 'Europe/Amsterdam', cron: '30 2 * * *' },
  { from: '2026-10-24T20:00:00Z', timeZone: 'Europe/Amsterdam', cron: '30 * * * *' },
  { from: '2026-03-08T04:00:00Z', timeZone: 'America/New_York', cron: '*/30 2 * * *' },
  { from: '2026-10-31T22:00:00Z', timeZone: 'America/New_York', cron: '15 1,13 * * *' },
  { from: '2026-04-04T12:00:00Z', timeZone: 'Australia/Lord_Howe', cron: '*/20 * * * *' },
  { from: '2026-07-01T00:00:00Z', timeZone: 'UTC', cron: '0 */6 * * *' },
];

const step = record({
  /** The minutes until something looks after schedules again: an outage, if they are many. */
  minutes: constantFrom(1, 7, 45, 200, 1_500, 5_000),
  /** A process dies after so many of its requests. */
  dies: option(integer({ min: 8, max: 32 })),
  isTwo: constantFrom(false, true),
  runsEnd: constantFrom(false, true),
});

test('each instant is due once, and those that were missed are made up for by one run, whatever dies, stops, or happens twice', async () => {
  await check(
    asyncProperty(
      constantFrom(...scenes),
      constantFrom('skip', 'queue'),
      integer({ min: -5_000, max: 5_000 }),
      array(step, { minLength: 2, maxLength: 5 }),
      async ({ from, timeZone, cron }, overlap, skewMilliseconds, steps) => {
        const clock = heldClock(from);
        const caller = await newCaller(dynamo, clock);
        const one = startProcess(dynamo, { clock, caller });
        const other = startProcess(dynamo, { clock, caller, skewMilliseconds });
        const body = { question: 'What is new?', cron, timeZone, overlap };
        const made = (await (await one.request('/v1/schedules', 'POST', body)).json()) as { id: string };
        for (const { minutes, dies, isTwo, runsEnd } of steps) {
          clock.advance(minutes * minute);
          if (runsEnd) await endOpenRuns(dynamo, made.id);
          if (dies !== null) {
            const dying = startProcess(dynamo, { clock, caller });
            dying.dieAfter(dies);
            await dying.tick().catch(() => undefined);
            dying.close();
          } else await Promise.all([one.tick(), ...(isTwo ? [other.tick()] : [])]);
        }
        // What a dead process had is free again after its claim, and what waits is started once the run before has ended.
        for (let i = 0; i < 3; i++) {
          clock.advance(5 * minute);
          await endOpenRuns(dynamo, made.id);
          await one.tick();
        }
        const deps = { ...dynamo, clock, files: one.parts.files };
        for await (const problem of checkSchedules(deps, caller.accountId)) expect(problem).toBeUndefined();
        await expectAll(made.id, { cron, timeZone }, Date.parse(from), clock);
        await one.request(`/v1/schedules/${made.id}`, 'DELETE');
        one.close();
        other.close();
      },
    ),
    { numRuns: 12 },
  );
});

test('an instant whose run was deleted has no other one, though the process that started it has died before it could say so', async () => {
  const clock = heldClock('2026-07-01T00:00:00Z');
  const caller = await newCaller(dynamo, clock);
  const one = startProcess(dynamo, { clock, caller });
  const body = { question: 'What is new?', every: '1h' };
  const { id } = (await (await one.request('/v1/schedules', 'POST', body)).json()) as { id: string };
  let started: string[] = [];
  for (let requests = 12; started.length === 0; requests++) {
    clock.advance(60 * minute);
    const dying = startProcess(dynamo, { clock, caller });
    dying.dieAfter(requests);
    await dying.tick().catch(() => undefined);
    dying.close();
    started = await runsOf(dynamo, id);
  }
  await endOpenRuns(dynamo, id);
  // Its files would go last, and are nowhere here.
  await one.request(`/v1/agents/runs/${started[0]}`, 'DELETE');
  expect(await runsOf(dynamo, id)).toEqual([]);
  for (let i = 0; i < 2; i++) {
    clock.advance(5 * minute);
    await one.tick();
  }
  expect(await runsOf(dynamo, id)).toEqual([]);
  expect((await outcomesOf(dynamo, id)).at(-1)).toMatchObject({ status: 'deleted', agentId: started[0] });
  one.close();
});

test('an instant whose run could not be queued is tried again', async () => {
  const clock = heldClock('2026-07-01T00:00:00Z');
  const caller = await newCaller(dynamo, clock);
  const one = startProcess(dynamo, { clock, caller });
  const body = { question: 'What is new?', every: '1h' };
  const { id } = (await (await one.request('/v1/schedules', 'POST', body)).json()) as { id: string };
  vi.spyOn(one.parts.aws.sqs, 'send').mockImplementationOnce(() => Promise.reject(new Error('no queue')));
  clock.advance(60 * minute);
  await one.tick();
  expect([await runsOf(dynamo, id), await outcomesOf(dynamo, id)]).toEqual([[], []]);
  clock.advance(5 * minute);
  await one.tick();
  expect(await outcomesOf(dynamo, id)).toMatchObject([
    { status: 'running', agentId: (await runsOf(dynamo, id))[0] },
  ]);
  one.close();
});

test('an instant that waits stays due, if it is put back while a slower process takes away what it had found', async () => {
  const clock = heldClock('2026-07-01T00:00:00Z');
  const caller = await newCaller(dynamo, clock);
  const [one, other] = [1, 2].map(() => startProcess(dynamo, { clock, caller }));
  const body = { question: 'What is new?', every: '1h', overlap: 'queue' };
  const { id } = (await (await one!.request('/v1/schedules', 'POST', body)).json()) as { id: string };
  for (const minutes of [60, 59]) {
    clock.advance(minutes * minute);
    await one!.tick();
  }
  clock.advance(minute);
  // Between the other's read and its claim the instant begins to wait; before it forgets what it read, a change has it due again.
  const between = [
    () => one!.tick(),
    async () => void (await one!.request(`/v1/schedules/${id}`, 'PATCH', { name: 'tides' })),
  ];
  other!.parts.aws.dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!/^(Query|Get)/.test(commandName)) await between.shift()?.();
        return next(args);
      },
    { step: 'initialize', name: 'between' },
  );
  await other!.tick();
  expect(between).toEqual([]);
  await endOpenRuns(dynamo, id);
  clock.advance(5 * minute);
  await one!.tick();
  expect(await runsOf(dynamo, id)).toHaveLength(2);
  for (const process of [one!, other!]) process.close();
});

async function expectAll(
  id: string,
  timing: { cron: string; timeZone: string },
  from: number,
  clock: HeldClock,
): Promise<void> {
  const outcomes = await outcomesOf(dynamo, id);
  const started = outcomes.flatMap(({ agentId }) => agentId ?? []);
  expect(new Set(started).size).toBe(started.length);
  expect((await runsOf(dynamo, id)).sort()).toEqual(started.sort());
  const instants: string[] = [];
  let at = await nextInstant(timing, from);
  for (; at !== undefined && at <= clock(); at = await nextInstant(timing, at))
    instants.push(new Date(at).toISOString());
  const told = outcomes.map(({ at, missed = 0 }, i) => {
    const place = instants.indexOf(at);
    const next = outcomes[i + 1]?.at;
    const between = (next === undefined ? instants.length : instants.indexOf(next)) - place - 1;
    return { place, missed: between === missed || missed === limits.scheduleMissedCounted };
  });
  expect(told[0]?.place).toBe(instants.length > 0 ? 0 : undefined);
  // Each instant has an outcome, or is one of those that the outcome before it has missed.
  expect(told.every(({ place, missed }) => place >= 0 && missed)).toBe(true);
}

test('a table that is restored to before an instant has the run that was started then, and no other', async () => {
  const clock = heldClock('2026-11-27T06:30:00Z');
  const caller = await newCaller(dynamo, clock);
  const one = startProcess(dynamo, { clock, caller });
  const body = { question: 'What is new?', cron: '0 7,19 * * *' };
  const { id } = (await (await one.request('/v1/schedules', 'POST', body)).json()) as { id: string };
  const before = await itemsOf(dynamo, id);
  clock.advance(30 * minute);
  await one.tick();
  for (const { pk, sk } of await itemsOf(dynamo, id))
    await deleteItem(dynamo, { TableName: dynamo.tables.schedules, Key: { pk, sk } });
  for (const item of before) await putItem(dynamo, { TableName: dynamo.tables.schedules, Item: item });
  clock.advance(60 * minute);
  await one.tick();
  one.close();
  const [agentId] = await runsOf(dynamo, id);
  expect(await outcomesOf(dynamo, id)).toMatchObject([
    { at: '2026-11-27T07:00:00.000Z', status: 'running', agentId, startedAt: '2026-11-27T07:00:00.000Z' },
  ]);
  expect((await itemsOf(dynamo, id)).map(({ sk }) => sk)).toContain(`2026-11-27T08:00:30.000Z#${id}`);
  expect(await runsOf(dynamo, id)).toHaveLength(1);
});
