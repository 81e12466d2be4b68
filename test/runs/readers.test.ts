import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { limits, silentLog } from '@errand/platform';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { openReader, openSilent, type Reader } from '../security/support/reader.ts';
import * as held from './support/held-readers.ts';

let ground: Ground;
let desk: Desk;
let worker: Desk;
let store: held.HookedStore;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

beforeEach(async () => {
  desk = await openDesk(ground);
  worker = await desk.colleague();
  store = held.hookStore(desk);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  desk.close();
  worker.close();
});

const startRun = () => held.claimedRun(desk, worker);
const pass = (milliseconds: number) => held.pass(store, milliseconds);
const passUntil = (work: Promise<unknown>) => held.passUntil(store, work);

/** Readers that wait for the next event of their runs. */
async function openAll(runs: readonly { agentId: string }[], each: number): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (const { agentId } of runs)
    for (let opened = 0; opened < each; opened++) readers.push(await openReader(desk.request, agentId));
  return readers;
}

const ids = (events: readonly { id: number }[]) => events.map(({ id }) => id);
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

test('forty readers of five runs cost one request a second', async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, startRun));
  held.holdTime();
  const readers = await openAll(runs, limits.streamsPerRun);
  await pass(3_000);
  store.sent.length = 0;
  await pass(10_000);
  const polls = store.sent.filter((name) => name !== 'Get');
  expect(new Set(polls)).toEqual(new Set(['BatchGet']));
  expect(polls.length).toBeLessThanOrEqual(11);
  // The key's check, every four seconds.
  expect(store.sent.filter((name) => name === 'Get').length).toBeLessThanOrEqual(3);
  for (const reader of readers) await reader.leave();
});

test('sixty runs are polled with two requests a second in all', async () => {
  const runs = await Promise.all(Array.from({ length: 60 }, startRun));
  held.holdTime();
  const readers = await openAll(runs, 1);
  await pass(3_000);
  store.sent.length = 0;
  await pass(5_000);
  expect(store.sent.filter((name) => name === 'BatchGet').length).toBeLessThanOrEqual(12);
  expect(store.sent).not.toContain('Query');
  for (const reader of readers) await reader.leave();
});

test('an event of another process comes to all readers of its run within a second, with one read', async () => {
  const runs = await Promise.all([startRun(), startRun()]);
  held.holdTime();
  const readers = await openAll(runs, limits.streamsPerRun);
  await pass(3_000);
  await runs[0]?.commit();
  store.sent.length = 0;
  const seen = Promise.all(readers.slice(0, limits.streamsPerRun).map((reader) => reader.until(1)));
  expect(await passUntil(seen)).toBeLessThanOrEqual(1_100);
  expect(store.sent.filter((name) => name === 'Query')).toHaveLength(1);
  for (const reader of readers) await reader.leave();
});

test('a run is polled more often soon after an event', async () => {
  const run = await startRun();
  held.holdTime();
  const [reader] = await openAll([run], 1);
  await pass(3_000);
  await run.commit();
  await passUntil(reader!.until(1));
  await run.commit();
  expect(await passUntil(reader!.until(2))).toBeLessThanOrEqual(300);
  await reader!.leave();
});

test('a run that begins a second after its reader has come is seen within half a second', async () => {
  const run = await startRun();
  held.holdTime();
  // Polls fall on whole multiples of their waits.
  await pass(1_000 - (performance.now() % 1_000));
  const [reader] = await openAll([run], 1);
  await pass(1_050);
  await run.commit();
  expect(await passUntil(reader!.until(1))).toBeLessThanOrEqual(600);
  await reader!.leave();
});

test('a reader that joins late or reads slowly gets every event once and in order', async () => {
  const run = await startRun();
  const prompt = await openReader(desk.request, run.agentId);
  await run.commit(1, 'It is noon. '.repeat(100_000));
  await prompt.until(1);
  const slow = await openSilent(desk.request, run.agentId);
  await run.commit(70, 'It is noon. '.repeat(1_000));
  const joining = [0, 20, 71].map((after) => openReader(desk.request, run.agentId, after));
  const joined = await Promise.all(joining);
  await run.commit(60);
  await prompt.until(131);
  await run.finish();
  expect(ids(await prompt.ended)).toEqual(upTo(132));
  expect(ids(await slow.readOn())).toEqual(upTo(132));
  for (const [i, after] of [0, 20, 71].entries())
    expect(ids(await joined[i]!.ended)).toEqual(upTo(132).slice(after));
});

test('nothing is polled once the last reader has left', async () => {
  const runs = await Promise.all([startRun(), startRun()]);
  held.holdTime();
  const readers = await openAll(runs, 2);
  await pass(2_000);
  await passUntil(Promise.all(readers.map((reader) => reader.leave())));
  await pass(1_000);
  store.sent.length = 0;
  await pass(10_000);
  expect(store.sent).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a store that does not answer ends no stream, is logged once in ten seconds, and streams go on when it is back', async () => {
  const warn = vi.spyOn(silentLog, 'warn');
  const runs = await Promise.all(Array.from({ length: 5 }, startRun));
  held.holdTime();
  const readers = await openAll(runs, limits.streamsPerRun);
  await pass(2_000);
  store.answer = async () => {
    throw Object.assign(new Error('scripted'), { name: 'TimeoutError' });
  };
  warn.mockClear();
  await pass(30_000);
  const lines = Map.groupBy(warn.mock.calls, ([message]) => message);
  for (const message of ['runs not polled', 'streams not counted'])
    expect(lines.get(message)?.length, message).toBeLessThanOrEqual(4);
  expect(lines.get('runs not polled')?.length).toBeGreaterThan(0);
  expect(readers.filter((reader) => reader.over())).toEqual([]);
  for (const run of runs) await run.commit();
  store.answer = undefined;
  await passUntil(Promise.all(readers.map((reader) => reader.until(1))));
  for (const reader of readers) await reader.leave();
});

test('reads of events that fail are retried', async () => {
  const run = await startRun();
  const [reader] = await openAll([run], 1);
  let failures = 0;
  store.answer = async ({ name }, next) => {
    if (name !== 'Query' || failures >= 2) return next();
    failures++;
    throw Object.assign(new Error('scripted'), { name: 'TimeoutError' });
  };
  await run.commit();
  await reader!.until(1);
  expect(failures).toBe(2);
  await reader!.leave();
});

test('a stream goes on if a stale poll lacks its run, and ends if the run is deleted', async () => {
  const run = await startRun();
  held.holdTime();
  const readers = await openAll([run], 2);
  const before = desk.parts.tables.runs;
  let answers = 0;
  // A read that is a moment old may have neither the run nor a stream that was just counted.
  store.answer = async ({ name }, next) => {
    if (name !== 'BatchGet') return next();
    const { output } = (await next()) as { output: { Responses: Record<string, Record<string, unknown>[]> } };
    const items = output.Responses[before] ?? [];
    const stale = items.flatMap((item) =>
      item.openStreams ? [{ ...item, openStreams: new Set(['other']) }] : [],
    );
    output.Responses[before] =
      answers++ % 2 === 0 ? [] : [...items.filter((item) => !item.openStreams), ...stale];
    return { output };
  };
  await pass(3_000);
  expect(answers).toBeGreaterThan(3);
  expect(readers.filter((reader) => reader.over())).toEqual([]);
  await worker.parts.aws.dynamodb.send(
    new DeleteCommand({ TableName: before, Key: { pk: `RUN#${run.agentId}`, sk: 'RUN' } }),
  );
  await pass(3_000);
  for (const reader of readers) expect(await reader.ended).toEqual([]);
});

test('a stream that was counted although the answer was lost takes one place', async () => {
  const run = await startRun();
  let lost = 0;
  store.answer = async ({ name, input }, next) => {
    const answer = await next();
    const { Key } = input as { Key?: { sk?: string } };
    if (name !== 'Update' || Key?.sk !== 'EVENT~STREAMS' || lost > 0) return answer;
    lost++;
    throw Object.assign(new Error('scripted'), { name: 'TimeoutError' });
  };
  held.holdTime();
  const readers = await openAll([run], 1);
  await pass(2 * limits.streamCheckMilliseconds);
  const { Item } = await worker.parts.aws.dynamodb.send(
    new GetCommand({
      TableName: worker.parts.tables.runs,
      Key: { pk: `RUN#${run.agentId}`, sk: 'EVENT~STREAMS' },
    }),
  );
  expect([lost, (Item as { openStreams: Set<string> }).openStreams.size]).toEqual([1, 1]);
  for (const reader of readers) await reader.leave();
});

test('streams that open at the same moment have few requests under way at once', async () => {
  let most = 0;
  let under = 0;
  store.answer = async ({ input }, next) => {
    const { Key } = input as { Key?: { sk?: string } };
    if (Key?.sk !== 'EVENT~STREAMS') return next();
    most = Math.max(most, ++under);
    try {
      return await next();
    } finally {
      under--;
    }
  };
  const runs = await Promise.all(Array.from({ length: 10 }, startRun));
  const opening = runs.flatMap(({ agentId }) =>
    Array.from({ length: limits.streamsPerRun }, () => openReader(desk.request, agentId)),
  );
  const readers = await Promise.all(opening);
  for (const run of runs) await run.finish();
  await Promise.all(readers.map((reader) => reader.ended));
  expect(most).toBeLessThanOrEqual(limits.streamRequestsAtOnce);
});
