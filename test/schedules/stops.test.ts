import { revokeKey } from '@errand/accounts';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { type Caller, depsOf, newCaller, onStart, type Process, startProcess } from './support/processes.ts';
import { endOpenRuns, itemsOf, outcomesOf } from './support/stored.ts';

const minute = 60_000;

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

let clock: HeldClock;
let caller: Caller;
let one: Process;
let other: Process;
let id: string;
beforeEach(async () => {
  clock = heldClock('2026-07-01T00:00:00Z');
  caller = await newCaller(dynamo, clock);
  other = startProcess(dynamo, { clock, caller });
  one = startProcess(dynamo, { clock, caller, skewMilliseconds: 2_000 });
  const made = await other.request('/v1/schedules', 'POST', { question: 'What is new?', every: '1h' });
  ({ id } = (await made.json()) as { id: string });
  return () => {
    one.close();
    other.close();
  };
});

const told = async () => (await outcomesOf(dynamo, id)).map(({ status }) => status);
const stored = async (sk: string) => (await itemsOf(dynamo, id)).find((item) => item.sk === sk);
const change = (fields: object) => other.request(`/v1/schedules/${id}`, 'PATCH', fields);
const revoke = () => revokeKey(depsOf(dynamo, clock), caller.keyId);

async function tickOn(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    clock.advance(5 * minute);
    await endOpenRuns(dynamo, id);
    await other.tick();
  }
}

/** Does something after each command of a process that has such words. */
function after(of: Process, words: string, then: () => unknown): void {
  of.parts.aws.dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      if (JSON.stringify(args.input).includes(words)) await then();
      return answer;
    },
    { step: 'initialize', name: words },
  );
}

test.each<[string, () => Promise<Response>]>([
  ['renames the schedule', () => change({ name: 'tides' })],
  ['asks for a run at once', () => other.request(`/v1/schedules/${id}/run`, 'POST')],
])('who %s while the queue is away uses up no attempt of an instant', async (_, ask) => {
  clock.advance(60 * minute);
  const queue = vi.spyOn(other.parts.aws.sqs, 'send').mockImplementation(() => {
    throw new Error('down');
  });
  for (let i = 0; i < limits.scheduleAttempts; i++) {
    await other.tick();
    clock.advance(5_000);
    await ask();
  }
  queue.mockRestore();
  expect(await stored('SCHEDULE')).toMatchObject({ attempts: 1 });
  await tickOn(2);
  expect(await told()).toEqual(['succeeded']);
});

test.each([{ paused: true }, { every: '2h' }])(
  'a run is seen to end though %j came just before it, its process is ahead, and died as soon as it was started',
  async (fields) => {
    onStart(one, () => change(fields), 'before');
    onStart(one, () => one.dieAfter(0));
    clock.advance(60 * minute - 1_000);
    await one.tick();
    await tickOn(2);
    expect(await told()).toEqual(['succeeded']);
  },
);

test('a run whose process has died is seen to end though its key is revoked, and its outcome cannot be read at first', async () => {
  onStart(one, () => one.dieAfter(0));
  clock.advance(60 * minute);
  await one.tick();
  await revoke();
  const unlucky = startProcess(dynamo, { clock, caller });
  const lost = ['once'];
  unlucky.parts.aws.dynamodb.middlewareStack.add(
    (next) => async (args) => {
      if (JSON.stringify(args.input).includes('OUTCOME#') && lost.pop()) throw new Error('socket hang up');
      return next(args);
    },
    { step: 'initialize', name: 'unread' },
  );
  clock.advance(5 * minute);
  await unlucky.tick();
  unlucky.close();
  expect(lost).toEqual([]);
  await tickOn(3);
  expect(await told()).toEqual(['succeeded']);
});

test.each(['before', 'after'])(
  'a run is seen to end though each process after its start has died, and its key is revoked %s another one is told',
  async (moment) => {
    await other.request(`/v1/schedules/${id}/run`, 'POST');
    clock.advance(60 * minute);
    await endOpenRuns(dynamo, id);
    onStart(one, () => one.dieAfter(0));
    await one.tick();
    for (let i = 1; i < limits.scheduleAttempts; i++) {
      clock.advance(5 * minute);
      const dying = startProcess(dynamo, { clock, caller });
      after(dying, 'claimedUntilMilliseconds = :until', () => dying.dieAfter(0));
      await dying.tick();
      dying.close();
    }
    expect(await stored('SCHEDULE')).toMatchObject({ attempts: limits.scheduleAttempts });
    if (moment === 'before') await revoke();
    clock.advance(10 * minute);
    await other.tick();
    if (moment === 'after') await revoke();
    await tickOn(6);
    expect(await told()).toEqual(['succeeded', 'succeeded']);
  },
);

test('what a deleted schedule asked for is gone, though the process that deletes it dies', async () => {
  after(one, '"Delete":', () => one.dieAfter(0));
  await one.request(`/v1/schedules/${id}`, 'DELETE');
  expect((await other.request(`/v1/schedules/${id}`)).status).toBe(404);
  expect(await stored('BODY')).toBeUndefined();
});

test('what a schedule of a revoked key asks for expires with it, also if it is changed by a process that knows the key yet', async () => {
  clock.advance(60 * minute);
  await other.request('/v1/schedules');
  await revoke();
  await one.tick();
  expect((await change({ name: 'tides' })).status).toBe(200);
  const { expiresAtSeconds } = (await stored('SCHEDULE'))!;
  expect(expiresAtSeconds).toBeGreaterThan(0);
  expect(await stored('BODY')).toMatchObject({ expiresAtSeconds });
});
