import { revokeKey } from '@errand/accounts';
import { deleteItem, limits, putItem } from '@errand/platform';
import { checkSchedules } from '@errand/schedules';
import { array, asyncProperty, assert as check, constantFrom, integer, option, record } from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { type Caller, depsOf, newCaller, onStart, type Process, startProcess } from './support/processes.ts';
import { endOpenRuns, itemsOf, outcomesOf, runsOf } from './support/stored.ts';

const minute = 60_000;

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

let clock: HeldClock;
let caller: Caller;
let other: Process;

async function begin(): Promise<void> {
  clock = heldClock('2026-07-01T00:00:00Z');
  caller = await newCaller(dynamo, clock);
  other = startProcess(dynamo, { clock, caller });
}
beforeEach(async () => {
  await begin();
  return () => other.close();
});

async function make(fields: object): Promise<string> {
  const made = await other.request('/v1/schedules', 'POST', { question: 'What is new?', ...fields });
  return ((await made.json()) as { id: string }).id;
}

const told = async (id: string) => (await outcomesOf(dynamo, id)).map(({ status }) => status);

/** Every run ends, and every process that has died is forgotten. */
async function tickOn(id: string, times: number, minutes: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    clock.advance(minutes * minute);
    await endOpenRuns(dynamo, id);
    await other.tick();
  }
}

/** Nothing is wrong with the schedule, and nobody waits for anything of it, an hour after everything has ended. */
async function expectAtRest(id: string): Promise<void> {
  await other.request(`/v1/schedules/${id}`, 'PATCH', { paused: true });
  await tickOn(id, 4, 20);
  const deps = { ...dynamo, clock, files: other.parts.files };
  for await (const problem of checkSchedules(deps, caller.accountId)) expect(problem).toBeUndefined();
  const outcomes = await outcomesOf(dynamo, id);
  expect(outcomes.filter(({ status }) => status === 'running')).toEqual([]);
  const started = outcomes.flatMap(({ agentId }) => agentId ?? []);
  expect(new Set(started).size).toBe(started.length);
  expect(started).toEqual(expect.arrayContaining(await runsOf(dynamo, id)));
  const schedule = (await itemsOf(dynamo, id)).find(({ sk }) => sk === 'SCHEDULE');
  expect(schedule).toMatchObject({ open: [], attempts: 0 });
  expect(schedule).not.toHaveProperty('dueMilliseconds');
}

const fails = (): never => {
  throw new Error('socket hang up');
};

test.each<[string, string, string, object | undefined]>([
  ['renamed', 'PATCH', '', { name: 'tides' }],
  ['paused', 'PATCH', '', { paused: true }],
  ['moved', 'PATCH', '', { every: '2h' }],
  ['run at once', 'POST', '/run', undefined],
])(
  'a run that is started while its schedule is %s is noted, and seen to end',
  async (_, method, end, body) => {
    const id = await make({ every: '1h' });
    const one = startProcess(dynamo, { clock, caller });
    onStart(one, () => other.request(`/v1/schedules/${id}${end}`, method, body));
    clock.advance(60 * minute);
    await one.tick();
    one.close();
    const { open, firingMilliseconds, nextMilliseconds, ...schedule } = (await itemsOf(dynamo, id)).find(
      ({ sk }) => sk === 'SCHEDULE',
    )!;
    expect(open).toHaveLength(method === 'POST' ? 2 : 1);
    expect([firingMilliseconds, schedule.attempts]).toEqual([undefined, 0]);
    expect(nextMilliseconds).toBeGreaterThan(clock());
    await expectAtRest(id);
  },
);

test.each([
  [{ paused: true }, 'lost', () => {}],
  [{ every: '2h' }, 'lost, and cannot be asked for again', (one: Process) => one.dieAfter(0)],
])(
  'a run is seen to end after the change %j, though the answer to its start was %s',
  async (change, _, then) => {
    const id = await make({ every: '1h' });
    const one = startProcess(dynamo, { clock, caller });
    onStart(one, () => {
      then(one);
      fails();
    });
    clock.advance(60 * minute);
    await one.tick();
    one.close();
    clock.advance(2 * minute);
    await other.request(`/v1/schedules/${id}`, 'PATCH', change);
    await expectAtRest(id);
    expect(await told(id)).toEqual(['succeeded']);
  },
);

test('a run is seen to end after a pause, though its start was noted as a failure', async () => {
  const id = await make({ every: '1h' });
  const one = startProcess(dynamo, { clock, caller });
  onStart(one, () => {
    const lost = [fails];
    one.parts.aws.dynamodb.middlewareStack.add(
      (next) => async (args) => {
        if (JSON.stringify(args.input).includes('OUTCOME#')) lost.pop()?.();
        return next(args);
      },
      { step: 'initialize', name: 'unread' },
    );
    fails();
  });
  clock.advance(60 * minute);
  await one.tick();
  one.close();
  const schedule = (await itemsOf(dynamo, id)).find(({ sk }) => sk === 'SCHEDULE');
  expect(schedule).toMatchObject({ open: [], attempts: 1 });
  expect(schedule).not.toHaveProperty('claimedUntilMilliseconds');
  await expectAtRest(id);
  expect(await told(id)).toEqual(['succeeded']);
});

test('a run is seen to end though its process dies as soon as it is started, and its key is revoked', async () => {
  const id = await make({ every: '1h' });
  const dying = startProcess(dynamo, { clock, caller });
  onStart(dying, () => dying.dieAfter(0));
  clock.advance(60 * minute);
  await dying.tick();
  dying.close();
  await revokeKey(depsOf(dynamo, clock), caller.keyId);
  await tickOn(id, 2, 5);
  expect(await told(id)).toEqual(['succeeded']);
});

test('a run that a restored table takes up makes up for nothing that passed after it', async () => {
  const id = await make({ cron: '0 1,2 * * *' });
  const before = await itemsOf(dynamo, id);
  clock.advance(60 * minute);
  await other.tick();
  await endOpenRuns(dynamo, id);
  const TableName = dynamo.tables.schedules;
  for (const { pk, sk } of await itemsOf(dynamo, id))
    await deleteItem(dynamo, { TableName, Key: { pk, sk } });
  for (const Item of before) await putItem(dynamo, { TableName, Item });
  clock.advance(90 * minute);
  await tickOn(id, 3, 5);
  expect(await runsOf(dynamo, id)).toHaveLength(2);
  expect(await outcomesOf(dynamo, id)).toMatchObject([
    { at: '2026-07-01T01:00:00.000Z', startedAt: '2026-07-01T01:00:00.000Z' },
    { at: '2026-07-01T02:00:00.000Z', startedAt: '2026-07-01T02:40:00.000Z' },
  ]);
  expect((await outcomesOf(dynamo, id)).map(({ missed }) => missed)).toEqual([undefined, undefined]);
});

test('an instant after a change is tried as often as any, however often the one before it was', async () => {
  const id = await make({ every: '1h' });
  clock.advance(60 * minute);
  const queue = vi.spyOn(other.parts.aws.sqs, 'send').mockImplementation(fails);
  for (let i = 0; i < limits.scheduleAttempts; i++) {
    clock.advance(10 * minute);
    await other.tick();
  }
  queue.mockRestore();
  for (const paused of [true, false]) await other.request(`/v1/schedules/${id}`, 'PATCH', { paused });
  clock.advance(60 * minute);
  await other.tick();
  expect(await told(id)).toEqual(['running']);
});

test('a run at once of a paused schedule is seen to end, though its process dies as soon as it is started', async () => {
  const id = await make({ every: '1h', paused: true });
  const dying = startProcess(dynamo, { clock, caller });
  onStart(dying, () => dying.dieAfter(0));
  await dying.request(`/v1/schedules/${id}/run`, 'POST');
  dying.close();
  await expectAtRest(id);
  expect(await told(id)).toEqual(['succeeded']);
});

const change = constantFrom<object | 'now'>(
  'now',
  { name: 'tides' },
  { overlap: 'queue' },
  { overlap: 'skip' },
  { paused: true },
  { paused: false },
  { every: '7m' },
  { cron: '*/5 * * * *' },
  { until: '2026-07-01T01:00:00Z' },
  { until: null },
);

/** A process dies at one of its requests, or does not hear the answer. */
const fault = option(record({ dies: constantFrom(true, false), after: integer({ min: 3, max: 34 }) }));

const step = record({
  minutes: constantFrom(0, 1, 5, 7, 45),
  runsEnd: constantFrom(false, true),
  changes: array(change, { maxLength: 3 }),
  changer: fault,
  ticker: fault,
  isTwo: constantFrom(false, true),
  /** What is done between which two requests of the other. */
  inner: constantFrom('changes', 'ticks'),
  between: integer({ min: 3, max: 24 }),
});

function startFaulty({ dies, after } = { dies: true, after: Number.POSITIVE_INFINITY }): Process {
  const process = startProcess(dynamo, { clock, caller });
  if (dies) process.dieAfter(after);
  else process.loseAnswerAfter(after);
  return process;
}

/** Does something before one of the requests of a process, or at the end of its work. */
async function interrupted(of: Process, between: number, work: () => unknown, then: () => unknown) {
  const left = [then];
  let requests = 0;
  of.parts.aws.dynamodb.middlewareStack.add(
    (next) => async (args) => {
      if (requests++ === between) await left.pop()?.();
      return next(args);
    },
    { step: 'initialize', name: 'between' },
  );
  await work();
  await left.pop()?.();
}

test('every run of a schedule is seen to end, whatever changes it, dies, is not heard, or happens twice meanwhile', async () => {
  await check(
    asyncProperty(array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      await begin();
      const late = startProcess(dynamo, { clock, caller, skewMilliseconds: 2_000 });
      const id = await make({ every: '5m' });
      for (const { minutes, runsEnd, changes, isTwo, inner, between, ...faults } of steps) {
        clock.advance(minutes * minute);
        if (runsEnd) await endOpenRuns(dynamo, id);
        const [changer, ticker] = [faults.changer, faults.ticker].map((each) =>
          startFaulty(each ?? undefined),
        );
        const ask = (each: object | 'now') =>
          each === 'now'
            ? changer!.request(`/v1/schedules/${id}/run`, 'POST')
            : changer!.request(`/v1/schedules/${id}`, 'PATCH', each);
        const asks = async () => {
          for (const each of changes) await ask(each);
        };
        const ticks = () =>
          Promise.allSettled([ticker!, ...(isTwo ? [late] : [])].map((each) => each.tick()));
        if (inner === 'changes') await interrupted(ticker!, between, ticks, asks);
        else await interrupted(changer!, between, asks, ticks);
        for (const process of [changer!, ticker!]) process.close();
      }
      await tickOn(id, 4, 5);
      await expectAtRest(id);
      late.close();
      other.close();
    }),
    { numRuns: 8 },
  );
});
