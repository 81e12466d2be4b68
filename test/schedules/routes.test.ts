import { freezeAccount, revokeKey, thawAccount } from '@errand/accounts';
import { getItem } from '@errand/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import { simpleCatalogue } from '../support/service.ts';
import {
  type Caller,
  depsOf,
  endRun,
  newCaller,
  newKey,
  type Process,
  startProcess,
} from './support/processes.ts';

const minute = 60_000;
const path = '/v1/schedules';
const daily = { question: 'What is new?', cron: '0 7 * * *', timeZone: 'Europe/Amsterdam' };
const everyQuarter = { question: 'What is new?', every: '15m' };

interface Shown {
  id: string;
  nextAt?: string;
  paused: boolean;
  stopped?: { reason: string; at: string };
  outcomes: {
    at: string;
    status: string;
    agentId?: string;
    missed?: number;
    reason?: string;
    manual?: boolean;
  }[];
  [field: string]: unknown;
}

let dynamo: TestDynamo;
let clock: HeldClock;
let caller: Caller;
let process: Process;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(async () => {
  clock = heldClock('2026-11-27T10:00:00.000Z');
  caller = await newCaller(dynamo, clock);
  process = startProcess(dynamo, { clock, caller });
});
afterEach(() => process.close());

const make = async (body: object): Promise<Shown> => {
  const response = await process.request(path, 'POST', body);
  expect([response.status, response.headers.get('Location')]).toEqual([
    201,
    expect.stringMatching(/^\/v1\/schedules\/schedule_/),
  ]);
  return (await response.json()) as Shown;
};
const read = async (id: string): Promise<Shown> =>
  (await (await process.request(`${path}/${id}`)).json()) as Shown;
const change = (id: string, body: object) => process.request(`${path}/${id}`, 'PATCH', body);
const tickAfter = async (minutes: number): Promise<void> => {
  clock.advance(minutes * minute);
  await process.tick();
};
const told = async (id: string) =>
  (await read(id)).outcomes.map(({ at, status }) => `${at.slice(11, 16)} ${status}`);

describe('POST /v1/schedules', () => {
  test('201: shows what runs are created with, and the next instant', async () => {
    const outputSchema = { type: 'object', properties: { b: { type: 'string' }, 1: { type: 'string' } } };
    const sent = { ...daily, name: 'News', tools: ['web_search'], notifyIf: undefined, outputSchema };
    const made = await make(sent);
    expect(made).toMatchObject({
      ...daily,
      name: 'News',
      tools: ['web_search'],
      overlap: 'skip',
      paused: false,
    });
    expect(made).toMatchObject({ nextAt: '2026-11-28T06:00:00.000Z', outcomes: [] });
    expect(await read(made.id)).toEqual(made);
    const { schedules } = (await (await process.request(path)).json()) as { schedules: Shown[] };
    expect(schedules).toMatchObject([{ id: made.id, question: 'What is new?' }]);
  });

  test.each<[string, object, string]>([
    ['neither cron nor every', { cron: undefined }, 'cron: must be given, or every, and not both'],
    ['both', { every: '1h' }, 'cron: must be given, or every, and not both'],
    ['a pattern with seconds', { cron: '0 0 7 * * *' }, 'cron: must be five fields'],
    ['a pattern that is never due', { cron: '0 0 30 2 *' }, 'cron: is never due'],
    ['less than a minute', { cron: undefined, every: '30s' }, 'every: must be a number with m, h or d'],
    ['another time zone', { timeZone: 'Mars/Olympus' }, 'timeZone: must be a time zone'],
    ['no question', { question: undefined }, 'question: is required'],
    [
      "no question, and the service's own agent",
      { question: undefined, agent: 'default' },
      'question: is required',
    ],
    [
      'an end before the first instant',
      { until: '2026-11-27T11:00:00Z' },
      'until: comes before the first instant',
    ],
    ['no time', { until: 'tomorrow' }, 'until: must be a time'],
    ['an upload', { uploadId: 'a' }, 'uploadId: cannot be repeated by a schedule'],
    ['a run to go on from', { previousRunId: 'a' }, 'previousRunId: cannot be repeated by a schedule'],
    ['a misspelt cap', { maxcredits: '1' }, 'maxcredits: is not a field: write maxCredits'],
    ['a misspelt agent', { Agent: 'mine' }, 'Agent: is not a field: write agent'],
    ['a misspelt end', { untill: '2027-01-01T00:00:00Z' }, 'untill: is not a field: the nearest is until'],
    ['an unknown field', { overlaps: 'queue' }, 'overlaps: is not a field: the nearest is overlap'],
    ['an unknown field that is taken away', { foo: null }, 'foo: is not a field: the nearest is '],
    [
      'a question for a model that is not there',
      { notifyIf: { question: 'New?' } },
      'notifyIf: needs a decision model',
    ],
    ['what no run may have', { model: 'nothing' }, 'model: There is no model "nothing"'],
    ['a long name', { name: 'x'.repeat(101) }, 'name: must have at most 100 characters'],
    [
      'a secret',
      { mcp: [{ label: 'shop', url: 'https://tools.example.com/mcp', authorization: 'secret' }] },
      'mcp[0].authorization: is not kept by a schedule',
    ],
  ])('400: %s', async (_, more, problem) => {
    const response = await process.request(path, 'POST', { ...daily, ...more });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(problem)]);
  });

  test('400: an account has a hundred schedules, of all its keys; one that is deleted makes room', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 100; i++) ids.push((await make(daily)).id);
    const refused = await process.request(path, 'POST', daily);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('100 schedules')]);
    expect((await process.request(`${path}/${ids[0]}`, 'DELETE')).status).toBe(204);
    await make(daily);
  });
});

test.each(['GET', 'PATCH', 'DELETE', 'POST'])('%s 404: a schedule of another key', async (method) => {
  const { id } = await make(daily);
  const other = startProcess(dynamo, { clock, caller: await newKey(dynamo, clock, caller.accountId) });
  const at = method === 'POST' ? `${path}/${id}/run` : `${path}/${id}`;
  const body = method === 'PATCH' ? { paused: true } : undefined;
  expect((await other.request(at, method, body)).status).toBe(404);
  expect(await (await other.request(path)).json()).toEqual({ schedules: [] });
  other.close();
});

describe('PATCH /v1/schedules/{id}', () => {
  test('200: what is absent stays, null takes away, and a pause has nothing made up for', async () => {
    const { id, createdAt } = await make({ ...everyQuarter, name: 'News', maxCredits: '1' });
    expect(await (await change(id, { name: null, question: 'And now?' })).json()).toMatchObject({
      ...everyQuarter,
      question: 'And now?',
      maxCredits: '1',
      since: createdAt,
      nextAt: '2026-11-27T10:15:00.000Z',
    });
    expect((await read(id)).name).toBeUndefined();
    await change(id, { paused: true });
    await tickAfter(60);
    expect(await read(id)).toMatchObject({ paused: true, outcomes: [] });
    await change(id, { paused: false });
    await process.tick();
    expect(await read(id)).toMatchObject({ paused: false, nextAt: '2026-11-27T11:15:00.000Z', outcomes: [] });
  });

  test('200: cron takes the place of every', async () => {
    const { id } = await make(everyQuarter);
    const changed = (await (await change(id, { cron: '0 12 * * *' })).json()) as Shown;
    expect(changed).toMatchObject({ cron: '0 12 * * *', nextAt: '2026-11-27T12:00:00.000Z' });
    expect(changed.every).toBeUndefined();
  });

  test('200: a pause, also where what its runs need is gone; 400 for any other change then', async () => {
    const { id } = await make({ ...daily, model: 'writer' });
    const without = { models: [{ ...simpleCatalogue('http://127.0.0.1:1').models[0], id: 'other' }] };
    const catalogue = { ...without, roles: { reasoning: 'other' } };
    const later = startProcess(dynamo, { clock, caller, catalogue });
    expect((await later.request(`${path}/${id}`, 'PATCH', { paused: true })).status).toBe(200);
    expect((await later.request(`${path}/${id}`, 'PATCH', { question: 'And now?' })).status).toBe(400);
    later.close();
  });

  test('400: as for a new one', async () => {
    const { id } = await make(daily);
    const refused = await change(id, { question: null });
    expect([refused.status, await refused.text()]).toEqual([400, 'question: is required']);
  });

  test.each(['2027-01-01T00:00:00Z', null])(
    '400: a field that is misspelt, with the value %j',
    async (value) => {
      const { id } = await make(daily);
      const refused = await change(id, { untill: value });
      const problem = 'untill: is not a field: the nearest is until';
      expect([refused.status, await refused.text()]).toEqual([400, problem]);
    },
  );
});

describe('POST /v1/schedules/{id}/run', () => {
  test('202: a run at once, beside the instants; the same key has the same run', async () => {
    const { id } = await make(daily);
    const ask = () => process.request(`${path}/${id}/run`, 'POST', undefined, { 'Idempotency-Key': 'now' });
    const first = await ask();
    expect(first.status).toBe(202);
    const { agentId } = (await first.json()) as { agentId: string };
    clock.advance(minute);
    expect(await (await ask()).json()).toEqual({ agentId, status: 'queued' });
    const run = await (await process.request(`/v1/agents/runs/${agentId}`)).json();
    expect(run).toMatchObject({ scheduleId: id, question: 'What is new?' });
    const shown = await read(id);
    expect(shown).toMatchObject({ nextAt: '2026-11-28T06:00:00.000Z' });
    expect(shown.outcomes).toMatchObject([{ agentId, status: 'running', manual: true }]);
    await endRun(dynamo, agentId, 'failed');
    await tickAfter(1);
    expect((await read(id)).outcomes).toMatchObject([{ agentId, status: 'failed', manual: true }]);
  });

  test('202: the same key has the same run while there is room for no other', async () => {
    const { id } = await make(daily);
    const ask = (key: string) =>
      process.request(`${path}/${id}/run`, 'POST', undefined, { 'Idempotency-Key': key });
    const first = await (await ask('0')).json();
    for (const key of ['1', '2', '3', '4']) expect((await ask(key)).status).toBe(202);
    expect((await ask('5')).status).toBe(409);
    expect(await (await ask('0')).json()).toEqual(first);
  });

  test('409: requests side by side have no more runs than may be open', async () => {
    const { id } = await make(daily);
    const ask = async () => (await process.request(`${path}/${id}/run`, 'POST')).status;
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.toSorted()).toEqual([...Array(5).fill(202), ...Array(3).fill(409)]);
    const { outcomes } = await read(id);
    expect(new Set(outcomes.map(({ agentId }) => agentId)).size).toBe(5);
    const { runs } = (await (await process.request('/v1/agents/runs')).json()) as { runs: object[] };
    expect(runs).toHaveLength(5);
  });

  test('503: a run that could not be queued takes no place', async () => {
    const { id } = await make(daily);
    const ask = async () => (await process.request(`${path}/${id}/run`, 'POST')).status;
    const { middlewareStack: stack } = process.parts.aws.sqs;
    const fail = () => async () => {
      throw new Error('no queue');
    };
    stack.addRelativeTo(fail, { relation: 'before', toMiddleware: 'countAndDie', name: 'noQueue' });
    expect(await ask()).toBe(503);
    stack.remove('noQueue');
    expect((await read(id)).outcomes).toEqual([]);
    const answers = [await ask(), await ask(), await ask(), await ask(), await ask(), await ask()];
    expect(answers).toEqual([...Array(5).fill(202), 409]);
  });

  test('202: whatever request to the store a process dies at, the same key has one run, noted once', async () => {
    for (let requests = 0, status = 0; status !== 202; requests++) {
      const { id } = await make(daily);
      const ask = () => process.request(`${path}/${id}/run`, 'POST', undefined, { 'Idempotency-Key': id });
      process.dieAfter(requests);
      ({ status } = await ask());
      process.dieAfter(Number.POSITIVE_INFINITY);
      const again = await ask();
      expect(again.status).toBe(202);
      const { agentId } = (await again.json()) as { agentId: string };
      expect((await read(id)).outcomes).toMatchObject([{ agentId, status: 'running', manual: true }]);
      await tickAfter(1);
      await endRun(dynamo, agentId, 'failed');
      await tickAfter(2);
      expect((await read(id)).outcomes).toMatchObject([{ agentId, status: 'failed' }]);
      await process.request(`${path}/${id}`, 'DELETE');
    }
  });

  test('409: too many of its runs have not ended', async () => {
    const { id } = await make(daily);
    // All at one moment.
    for (let i = 0; i < 5; i++) expect((await process.request(`${path}/${id}/run`, 'POST')).status).toBe(202);
    expect((await read(id)).outcomes).toHaveLength(5);
    expect((await process.request(`${path}/${id}/run`, 'POST')).status).toBe(409);
  });
});

describe('an instant', () => {
  test('is left out while the run before has not ended', async () => {
    const { id } = await make(everyQuarter);
    await tickAfter(15);
    const [{ agentId = '' } = {}] = (await read(id)).outcomes;
    await tickAfter(15);
    expect(await told(id)).toEqual(['10:30 skipped', '10:15 running']);
    await endRun(dynamo, agentId, 'succeeded', 'Nothing.');
    await tickAfter(15);
    expect(await told(id)).toEqual(['10:45 running', '10:30 skipped', '10:15 succeeded']);
  });

  test('waits for the run before where the schedule says so, and one at most', async () => {
    const { id } = await make({ ...everyQuarter, overlap: 'queue' });
    await tickAfter(15);
    const [{ agentId = '' } = {}] = (await read(id)).outcomes;
    await tickAfter(40);
    expect(await told(id)).toEqual(['10:15 running']);
    // A change of anything but its times takes away nothing that is due.
    await change(id, { name: 'tides' });
    await endRun(dynamo, agentId, 'succeeded', 'Nothing.');
    await tickAfter(2);
    expect(await told(id)).toEqual(['10:30 running', '10:15 succeeded']);
    expect((await read(id)).outcomes[0]).toMatchObject({ missed: 1 });
  });

  test.each([
    ['without credits', { credits: '0' }, {}, 'No remaining credits (EUR)'],
    ['over the rate', {}, { RATE_LIMIT_REQUESTS: '2' }, 'Too many requests, please try again later.'],
    ['where runs are switched off', {}, { AGENTS_ENABLED: 'false' }, 'Agent service is not enabled'],
  ])('%s is refused, in the words of a request, and the next one is not', async (_, account, env, reason) => {
    const poor = await newCaller(dynamo, clock, account);
    const free = startProcess(dynamo, { clock, caller: poor });
    const made = (await (await free.request(path, 'POST', everyQuarter)).json()) as Shown;
    const own = startProcess(dynamo, { clock, caller: poor, env });
    clock.advance(15 * minute);
    for (let i = 0; i < 2; i++) await own.request(path);
    await own.tick();
    own.close();
    const shown = (await (await free.request(`${path}/${made.id}`)).json()) as Shown;
    free.close();
    expect(shown.outcomes).toMatchObject([{ at: '2026-11-27T10:15:00.000Z', status: 'refused', reason }]);
    expect(shown.nextAt).toBe('2026-11-27T10:30:00.000Z');
  });

  test('that are refused one after the other are tried less and less often, until one is not', async () => {
    const { id } = await make({ question: 'What is new?', cron: '* * * * *' });
    const off = startProcess(dynamo, { clock, caller, env: { AGENTS_ENABLED: 'false' } });
    const waits: number[] = [];
    const tickNext = async ({ tick }: Process) => {
      const milliseconds = Date.parse((await read(id)).nextAt!) - clock();
      clock.advance(milliseconds);
      waits.push(milliseconds / minute);
      await tick();
    };
    for (let i = 0; i < 12; i++) await tickNext(off);
    off.close();
    for (let i = 0; i < 2; i++) await tickNext(process);
    expect(waits).toEqual([1, 1, 1, 1, 1, 2, 3, 5, 9, 17, 33, 61, 61, 1]);
    const { outcomes } = await read(id);
    expect(outcomes.map(({ status }) => status).slice(0, 3)).toEqual(['skipped', 'running', 'refused']);
  });

  test('of a frozen account is refused, and those of the thawed one are not', async () => {
    const { id } = await make(everyQuarter);
    await freezeAccount(depsOf(dynamo, clock), caller.accountId);
    await tickAfter(15);
    await thawAccount(depsOf(dynamo, clock), caller.accountId);
    clock.advance(minute);
    await tickAfter(14);
    expect(await told(id)).toEqual(['10:30 running', '10:15 refused']);
    expect((await read(id)).outcomes[1]).toMatchObject({ reason: 'The key is frozen.' });
  });

  test('costs so many requests to the store', async () => {
    await make(everyQuarter);
    clock.advance(15 * minute);
    process.dieAfter(Number.POSITIVE_INFINITY);
    await process.tick();
    expect(process.requests()).toBe(16);
    process.dieAfter(Number.POSITIVE_INFINITY);
    await process.tick();
    expect(process.requests()).toBe(8);
  });
});

describe('where runs are switched off', () => {
  let off: Process;
  beforeEach(() => {
    off = startProcess(dynamo, { clock, caller, env: { AGENTS_ENABLED: 'false' } });
  });
  afterEach(() => off.close());

  const refusal = [503, 'Agent service is not enabled'];
  const answerTo = async (method: string, at: string, body: object) => {
    const response = await off.request(at, method, body);
    return [response.status, await response.text()];
  };

  test('no schedule is made, whatever is wrong with it', async () => {
    expect(await answerTo('POST', path, everyQuarter)).toEqual(refusal);
    expect(await answerTo('POST', path, { every: '1s' })).toEqual(refusal);
    expect(await (await off.request(path)).json()).toEqual({ schedules: [] });
  });

  test('a schedule is listed, renamed, moved, paused and deleted, and not switched on', async () => {
    const { id } = await make(everyQuarter);
    const at = `${path}/${id}`;
    for (const changes of [{ name: 'tides' }, { every: '30m' }, { paused: true }, { name: 'moon' }])
      expect((await off.request(at, 'PATCH', changes)).status).toBe(200);
    expect(await answerTo('PATCH', at, { paused: false })).toEqual(refusal);
    expect(await answerTo('PATCH', at, { question: 'What is old?' })).toEqual(refusal);
    const { schedules } = (await (await off.request(path)).json()) as { schedules: Shown[] };
    expect(schedules).toMatchObject([{ id, name: 'moon', question: 'What is new?', paused: true }]);
    expect((await off.request(at, 'DELETE')).status).toBe(204);
  });

  test('a schedule that has stopped does not go on', async () => {
    const { id } = await make({ ...everyQuarter, until: '2026-11-27T10:20:00Z' });
    await tickAfter(15);
    const at = `${path}/${id}`;
    expect((await off.request(at, 'PATCH', { name: 'tides' })).status).toBe(200);
    expect(await answerTo('PATCH', at, { until: null })).toEqual(refusal);
    expect(await read(id)).toMatchObject({ name: 'tides', stopped: { reason: 'until' } });
  });
});

test('a schedule whose key was revoked stops, says so, and takes no place of the account', async () => {
  const other = await newKey(dynamo, clock, caller.accountId);
  const gone = startProcess(dynamo, { clock, caller: other });
  const { id } = (await (await gone.request(path, 'POST', everyQuarter)).json()) as Shown;
  await revokeKey(depsOf(dynamo, clock), other.keyId);
  await tickAfter(15);
  await tickAfter(15);
  gone.close();
  const item = await getItem(dynamo, dynamo.tables.schedules, { pk: `SCHEDULE#${id}`, sk: 'SCHEDULE' });
  expect(item).toMatchObject({ stopped: { reason: 'key_revoked', at: '2026-11-27T10:15:00.000Z' } });
  expect(item?.expiresAtSeconds).toBeGreaterThan(clock() / 1000);
  expect(item?.dueMilliseconds).toBeUndefined();
});

test('a schedule is due until its end, and goes on if that is moved', async () => {
  const { id } = await make({ ...everyQuarter, until: '2026-11-27T10:20:00Z' });
  await tickAfter(15);
  expect(await read(id)).toMatchObject({ stopped: { reason: 'until' }, outcomes: [{ status: 'running' }] });
  expect((await read(id)).nextAt).toBeUndefined();
  expect(await (await change(id, { until: null })).json()).toMatchObject({
    nextAt: '2026-11-27T10:30:00.000Z',
  });
});
