import { requireKey } from '@errand/accounts';
import { createApp } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { applyCharge } from '../ledger.ts';
import { moneyRoutes } from '../routes.ts';
import { chargeOf } from './test-support/usage.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

/** At 2026-11-21T10:00Z. The account was credited then. */
async function serve() {
  const deps = testAccounts(dynamo);
  const { accountId, key } = await newTestAccount(deps, { credits: '5' });
  const app = createApp({ log: deps.log });
  app.route('/', moneyRoutes(deps, requireKey(deps)));
  const request = (path: string, headers: Record<string, string> = { Authorization: `Bearer ${key}` }) =>
    app.request(path, { headers });
  return { deps, accountId, key, request };
}

const explained = {
  requestId: 'req-1',
  keyId: 'key_1',
  runId: 'run-1',
  step: 2,
  skill: { id: 'skill_1', name: 'brief', version: 3 },
  reasoningTokens: 5,
  price: { from: '2026-11-01', inputPerMillionTokens: 0.5 },
  brokenOff: true,
};

describe('GET /v1/credits/entries 200', () => {
  test('an entry says what it was charged for, and nothing of the upstream', async () => {
    const { deps, accountId, request } = await serve();
    await applyCharge(
      deps,
      chargeOf({ accountId }, 'c', deps.clock(), { ...explained, upstream: 'inside.example/model' }),
    );
    const response = await request('/v1/credits/entries');
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toContain('inside.example');
    const { entries } = JSON.parse(text) as { entries: { id: string }[] };
    expect(entries.find(({ id }) => id === 'c')).toEqual({
      id: 'c',
      at: '2026-11-21T10:00:00.000Z',
      kind: 'completion',
      model: 'writer',
      ...explained,
      inputTokens: 100,
      cachedInputTokens: 40,
      outputTokens: 7,
      energy: 11,
      emissions: 13,
      amount: '-0.000001',
    });
  });

  test('pages have the entries of the requested times, newest first', async () => {
    const { deps, accountId, request } = await serve();
    for (let i = 0; i < 6; i++) {
      deps.clock.advance(60_000);
      await applyCharge(deps, chargeOf({ accountId }, `c${i}`, deps.clock()));
    }
    const times = 'from=2026-11-21T10:02:00Z&to=2026-11-21T10:05:00Z';
    const read = async (query: string) =>
      (await (await request(`/v1/credits/entries?${query}`)).json()) as {
        entries: { id: string }[];
        cursor?: string;
      };
    const first = await read(`limit=2&${times}`);
    expect(first.entries.map(({ id }) => id)).toEqual(['c3', 'c2']);
    const second = await read(`limit=2&${times}&cursor=${first.cursor}`);
    expect(second.entries.map(({ id }) => id)).toEqual(['c1']);
    expect(second.cursor).toBeUndefined();
    const elsewhere = await request(`/v1/credits/entries?to=2026-11-21&cursor=${first.cursor}`);
    expect([elsewhere.status, await elsewhere.text()]).toEqual([400, 'cursor: is not of these times']);
  });

  test('an entry that was written in another hour says so, and is listed by that hour', async () => {
    const { deps, accountId, request } = await serve();
    await applyCharge(deps, chargeOf({ accountId }, 'late', deps.clock() - 3_600_000));
    const response = await request('/v1/credits/entries?from=2026-11-21T10:00:00Z');
    const { entries } = (await response.json()) as { entries: { id: string }[] };
    expect(entries.find(({ id }) => id === 'late')).toMatchObject({
      at: '2026-11-21T09:00:00.000Z',
      writtenAt: '2026-11-21T10:00:00.000Z',
    });
  });
});

describe('GET /v1/usage 200', () => {
  test('a row for each day of the last 30, today among them', async () => {
    const { deps, accountId, request } = await serve();
    await applyCharge(deps, chargeOf({ accountId }, 'c', deps.clock(), { seconds: 61 }));
    const response = await request('/v1/usage');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      from: '2026-10-23T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      rows: [
        {
          day: '2026-11-21',
          amount: '0.000001',
          requests: 1,
          inputTokens: 100,
          cachedInputTokens: 40,
          outputTokens: 7,
          seconds: 61,
          energy: 11,
          emissions: 13,
        },
      ],
    });
  });

  test('rows have the fields of their group in one order, and are sorted', async () => {
    const { deps, accountId, request } = await serve();
    for (const [id, model] of ['b', 'a', 'b'].entries())
      await applyCharge(deps, chargeOf({ accountId }, `c${id}`, deps.clock(), { model, keyId: 'key_1' }));
    const response = await request('/v1/usage?groupBy=model,hour,key,kind,skill&from=2026-11-21');
    const { rows } = (await response.json()) as { rows: object[] };
    expect(rows.map((row) => JSON.stringify(row).slice(0, 100))).toEqual(
      ['a', 'b'].map((model) =>
        expect.stringContaining(
          `{"hour":"2026-11-21T10:00:00.000Z","key":"key_1","model":"${model}","kind":"completion"`,
        ),
      ),
    );
  });

  test('the report is CSV if the caller prefers it', async () => {
    const { deps, accountId, key, request } = await serve();
    const skill = { id: 's', name: '=cmd', version: 1 };
    await applyCharge(deps, chargeOf({ accountId }, 'c', deps.clock(), { skill }));
    const headers = { Authorization: `Bearer ${key}`, Accept: 'text/csv, application/json;q=0.5' };
    const response = await request('/v1/usage?groupBy=skill', headers);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('Vary')).toContain('Accept');
    expect(await response.text()).toBe(
      'skill,amount,requests,inputTokens,cachedInputTokens,outputTokens,seconds,energy,emissions\r\n' +
        "'=cmd,0.000001,1,100,40,7,0,11,13\r\n",
    );
  });
});

test.each([
  ['/v1/usage?groupBy=day,hour', 'groupBy: day and hour exclude each other'],
  [
    '/v1/usage?groupBy=',
    'groupBy: must be some of day, hour, key, model, kind, skill, with commas between them',
  ],
  [
    '/v1/usage?groupBy=day,account',
    'groupBy: must be some of day, hour, key, model, kind, skill, with commas between them',
  ],
  [
    '/v1/usage?from=yesterday',
    'from: must be a day such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z',
  ],
  ['/v1/usage?to=2026-02-30', 'to: must be a day such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z'],
  ['/v1/usage?from=2026-11-21&to=2026-11-21', 'to: must be after from'],
  ['/v1/usage?from=2024-11-21&to=2026-11-21', 'to: must be at most 366 days after from'],
  ['/v1/usage?scope=all', 'scope: must be account or organisation'],
  ['/v1/credits/entries?limit=0', 'limit: must be at least 1'],
  [
    '/v1/credits/entries?from=2026-13-01',
    'from: must be a day such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z',
  ],
  ['/v1/credits/entries?cursor=x', 'cursor: is not a cursor'],
])('GET %s 400', async (path, problem) => {
  const { request } = await serve();
  const response = await request(path);
  expect([response.status, await response.text()]).toEqual([400, problem]);
});

test('GET /v1/usage?scope=organisation 403 for a key that is not marked as operator', async () => {
  const { request } = await serve();
  const response = await request('/v1/usage?scope=organisation');
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    error: 'Only a key that is marked as operator may read the usage of its organisation',
  });
});

test.each(['/v1/usage', '/v1/credits/entries'])('GET %s 401 without a key', async (path) => {
  const { request } = await serve();
  expect((await request(path, {})).status).toBe(401);
});
