import { deleteItem, getItem, limits, putItem, updateItem } from '@errand/platform';
import { checkSchedules } from '@errand/schedules';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { type Caller, endRun, newCaller, type Process, startProcess } from './support/processes.ts';

const minute = 60_000;
const instant = '2026-07-01T01:00:00.000Z';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

interface Scene {
  clock: HeldClock;
  caller: Caller;
  one: Process;
  /** The schedule, whose first instant has begun. */
  id: string;
  agentId: string;
}

let scene: Scene;
beforeEach(async () => {
  const clock = heldClock('2026-07-01T00:00:00Z');
  const caller = await newCaller(dynamo, clock);
  const one = startProcess(dynamo, { clock, caller });
  const body = { question: 'What is new?', every: '1h' };
  const { id } = (await (await one.request('/v1/schedules', 'POST', body)).json()) as { id: string };
  clock.advance(60 * minute);
  await one.tick();
  const shown = (await (await one.request(`/v1/schedules/${id}`)).json()) as {
    outcomes: { agentId: string }[];
  };
  scene = { clock, caller, one, id, agentId: shown.outcomes[0]!.agentId };
  return () => one.close();
});

async function problemsOf(accountId?: string) {
  const { clock, one } = scene;
  const { aws, tables, files } = one.parts;
  const found = [];
  for await (const problem of checkSchedules({ ...aws, tables, files, clock }, accountId))
    found.push(problem);
  // Schedules of other tests have clocks of their own.
  return found.filter(({ id }) => id === scene.id || id === scene.caller.accountId);
}

const inSchedule = (sk: string) => ({ pk: `SCHEDULE#${scene.id}`, sk });
const own = () => ({ pk: `ACCOUNT#${scene.caller.accountId}`, sk: `KEY#${scene.caller.keyId}#${scene.id}` });
const remove = (Key: object, table: 'schedules' | 'accounts' | 'runs' = 'schedules') =>
  deleteItem(dynamo, { TableName: dynamo.tables[table], Key: { ...Key } });
const set = (Key: object, name: string, value: unknown) =>
  updateItem(dynamo, {
    TableName: dynamo.tables.schedules,
    Key: { ...Key },
    UpdateExpression: 'SET #name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': value },
  });
const ofSchedule = (...problems: string[]) =>
  problems.map((problem) => ({ of: 'schedule', id: scene.id, problem }));
const ofAccount = (problem: string) => ({ of: 'account', id: scene.caller.accountId, problem });

test.each<[string, () => Promise<unknown>]>([
  ['that waits for its run', async () => {}],
  ['whose run has ended', () => endAndTick()],
  ['that is paused while its run is worked on', () => change({ paused: true })],
  ['that was run at once', () => scene.one.request(`/v1/schedules/${scene.id}/run`, 'POST', {})],
  [
    'whose run was deleted',
    () => endAndTick().then(() => remove({ pk: `RUN#${scene.agentId}`, sk: 'RUN' }, 'runs')),
  ],
  ['that was deleted', () => scene.one.request(`/v1/schedules/${scene.id}`, 'DELETE')],
])('a schedule %s is in order', async (_, befall) => {
  await befall();
  expect(await problemsOf(scene.caller.accountId)).toEqual([]);
  expect(await problemsOf()).toEqual([]);
});

async function endAndTick(): Promise<void> {
  await endRun(dynamo, scene.agentId, 'succeeded', 'Done.');
  scene.clock.advance(5 * minute);
  await scene.one.tick();
}

const change = (body: object) => scene.one.request(`/v1/schedules/${scene.id}`, 'PATCH', body);

const later = (minutes: number) => async () => scene.clock.advance(minutes * minute);
const due = '2026-07-01T01:00:30.000Z';
const late = `The schedule is due since ${due}, and nobody has looked after it.`;
const unlisted = `The schedule is due at ${due}, and is missing in the list of what is due.`;

test.each<[string, () => Promise<unknown>, () => object[]]>([
  ['nobody looks after for an hour', later(61), () => ofSchedule(late)],
  ['is missing among what is due', () => removeDue(), () => ofSchedule(unlisted)],
  [
    'is never due',
    () =>
      removeDue()
        .then(() => remove(inSchedule('BODY')))
        .then(() => forgetDue()),
    () =>
      ofSchedule(
        'What its runs are created with is missing.',
        'The schedule has an instant, or a run that has not ended, and is never due.',
      ),
  ],
  [
    'has an outcome for whose run nobody waits',
    () =>
      forgetOpen()
        .then(later(50))
        .then(() => change({ name: 'tides' }))
        .then(later(11)),
    () =>
      ofSchedule(
        `The outcome of ${instant} is running, and nobody waits for the end of its run ${scene.agentId}.`,
      ),
  ],
  [
    'has an outcome whose run is gone',
    () =>
      forgetOpen()
        .then(later(50))
        .then(() => change({ name: 'tides' }))
        .then(later(11))
        .then(() => remove({ pk: `RUN#${scene.agentId}`, sk: 'RUN' }, 'runs')),
    () => ofSchedule(`The outcome of ${instant} is running, and its run ${scene.agentId} is gone.`),
  ],
  [
    'is listed and missing',
    () => remove(inSchedule('SCHEDULE')),
    () => ofSchedule('The schedule is listed and missing.'),
  ],
  [
    'is not counted',
    () => remove({ pk: own().pk, sk: 'COUNT' }),
    () => [ofAccount('The account counts 0 schedules, and has 1.')],
  ],
  [
    'has no account',
    () => remove({ pk: `ACCOUNT#${scene.caller.accountId}`, sk: 'ACCOUNT' }, 'accounts'),
    () => [ofAccount('The account has schedules, and is missing.')],
  ],
])('a schedule that %s is reported', async (_, spoil, told) => {
  await spoil();
  expect(await problemsOf(scene.caller.accountId)).toEqual(told());
  expect(await problemsOf()).toEqual(told());
});

async function removeDue(): Promise<void> {
  for (let shard = 0; shard < limits.scheduleShards; shard++)
    await remove({ pk: `DUE#${shard}`, sk: `${due}#${scene.id}` });
}

const forgetDue = () =>
  updateItem(dynamo, {
    TableName: dynamo.tables.schedules,
    Key: inSchedule('SCHEDULE'),
    UpdateExpression: 'REMOVE dueMilliseconds',
  });

const forgetOpen = () => set(inSchedule('SCHEDULE'), 'open', []);

test('a schedule that its account does not list is reported', async () => {
  await remove(own());
  expect(await problemsOf()).toEqual(
    expect.arrayContaining([
      ...ofSchedule('The schedule is missing in the list of its account.'),
      ofAccount('The account counts 1 schedules, and has 0.'),
    ]),
  );
});

test('what is repaired while it is looked at is not reported', async () => {
  const schedule = (await getItem(dynamo, dynamo.tables.schedules, inSchedule('SCHEDULE')))!;
  await remove(inSchedule('SCHEDULE'));
  let reads = 0;
  scene.one.parts.aws.dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const answer = await next(args);
        if (commandName.startsWith('BatchGet') && reads++ === 0)
          await putItem(dynamo, { TableName: dynamo.tables.schedules, Item: schedule });
        return answer;
      },
    { step: 'initialize', name: 'repair' },
  );
  expect(await problemsOf(scene.caller.accountId)).toEqual([]);
  expect(reads).toBe(2);
});
