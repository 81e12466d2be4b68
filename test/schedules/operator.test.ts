import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '@errand/admin/testing';
import { batchPut, getItem, readConfig } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { newCaller, newKey, startProcess } from './support/processes.ts';

let dynamo: TestDynamo;
let folder: string;
beforeAll(async () => {
  dynamo = await startTestDynamo();
  folder = await mkdtemp(path.join(tmpdir(), 'errand-admin-schedules-'));
  const service = { pid: process.pid, endpoints: { dynamodb: dynamo.endpoint, s3: dynamo.endpoint } };
  await writeFile(path.join(folder, 'service.json'), JSON.stringify(service));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await dynamo.close();
});

async function admin(...line: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const status = await run(line, terminal, () => readConfig('local', { DATA_DIR: folder }));
  return { status, out: out.join('\n'), err: err.join('\n') };
}

test('schedules of all keys of an account are listed without what they ask, paused and deleted by the operator', async () => {
  const clock = heldClock(new Date().toISOString());
  const caller = await newCaller(dynamo, clock);
  const other = await newKey(dynamo, clock, caller.accountId);
  const make = async (of: typeof caller, body: object): Promise<string> => {
    const process = startProcess(dynamo, { clock, caller: of });
    const made = await process.request('/v1/schedules', 'POST', { question: 'A secret?', ...body });
    process.close();
    return ((await made.json()) as { id: string }).id;
  };
  const daily = await make(caller, { cron: '0 7 * * *', timeZone: 'Europe/Amsterdam', name: 'News' });
  clock.advance(1_000);
  const often = await make(other, { every: '1m' });
  const listed = await admin('schedule', 'list', '--account', caller.accountId);
  expect(listed.out.split('\n')).toEqual([
    expect.stringMatching(`^${daily}  0 7 \\* \\* \\* Europe/Amsterdam  next .*Z  ${caller.keyId}  News$`),
    expect.stringMatching(`^${often}  every 1m  next .*Z  ${other.keyId}$`),
  ]);

  expect(JSON.parse((await admin('schedule', 'pause', often, '--json')).out)).toMatchObject({ paused: true });
  clock.advance(5 * 60_000);
  const process = startProcess(dynamo, { clock, caller: other });
  await process.tick();
  const paused = await process.request(`/v1/schedules/${often}`);
  expect(await paused.json()).toMatchObject({ paused: true, outcomes: [] });
  expect((await admin('schedule', 'pause', often)).out).toContain('  paused  ');

  expect((await admin('schedule', 'delete', often)).out).toBe(`Schedule ${often} is deleted`);
  expect((await process.request(`/v1/schedules/${often}`)).status).toBe(404);
  process.close();
  const left = JSON.parse((await admin('schedule', 'list', '--account', caller.accountId, '--json')).out);
  expect(left.schedules).toMatchObject([{ id: daily, keyId: caller.keyId, openRuns: 0, attempts: 0 }]);
});

test('schedules that take up no place are listed beside a hundred others', async () => {
  const clock = heldClock(new Date().toISOString());
  const caller = await newCaller(dynamo, clock);
  const process = startProcess(dynamo, { clock, caller });
  const made = await process.request('/v1/schedules', 'POST', { question: 'What is new?', every: '1h' });
  process.close();
  const { id } = (await made.json()) as { id: string };
  const { schedules } = dynamo.tables;
  const schedule = await getItem(dynamo, schedules, { pk: `SCHEDULE#${id}`, sk: 'SCHEDULE' });
  const others = Array.from({ length: 110 }, (_, i) => `schedule_${String(i).padStart(20, '0')}`);
  const own = (other: string) => ({ sk: `KEY#${caller.keyId}#${other}`, id: other });
  await batchPut(dynamo, schedules, [
    ...others.map((other) => ({ ...schedule, pk: `SCHEDULE#${other}`, id: other })),
    ...others.map((other) => ({ pk: `ACCOUNT#${caller.accountId}`, ...own(other) })),
  ]);
  const listed = await admin('schedule', 'list', '--account', caller.accountId, '--json');
  const ids = JSON.parse(listed.out).schedules.map((each: { id: string }) => each.id);
  expect(ids.toSorted()).toEqual([id, ...others].toSorted());
});

test.each([
  [['list', '--account', 'none'], 'There is no account none.'],
  [['pause', 'none'], 'There is no schedule none.'],
  [['delete', 'none'], 'There is no schedule none.'],
])('schedule %j is refused with its reason', async (line, reason) => {
  expect(await admin('schedule', ...line)).toMatchObject({ status: 1, out: '', err: reason });
});
