import { authenticate, createKey, requireKey } from '@errand/accounts';
import { type BudgetPeriod, createApp, limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { applyCharge } from './ledger.ts';
import { reserve } from './reserve.ts';
import { moneyRoutes } from './routes.ts';
import { costing } from './test-support/calls.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

function serve(deps: ReturnType<typeof testAccounts>) {
  const app = createApp({ log: deps.log });
  app.route('/', moneyRoutes(deps, requireKey(deps)));
  return (query: string, key?: string) =>
    app.request(`/v1/credits${query}`, { headers: key ? { Authorization: `Bearer ${key}` } : {} });
}

test('GET /v1/credits 200: the balance and the newest entries, in euros', async () => {
  const deps = testAccounts(dynamo);
  const { accountId, key } = await newTestAccount(deps, { credits: '5.00' });
  await applyCharge(deps, {
    id: 'run-1/1',
    at: '2026-11-21T10:00:01.000Z',
    kind: 'transcription',
    payer: { accountId },
    model: 'ears',
    runId: 'run-1',
    seconds: 61,
    amountNanoEuro: 12_690_000,
  });
  const response = await serve(deps)('', key);
  expect(response.status).toBe(200);
  expect(response.headers.get('RateLimit-Remaining')).toBe(`${limits.requestsPerWindow - 1}`);
  expect(await response.json()).toEqual({
    balance: '4.98731',
    reserved: '0',
    available: '4.98731',
    entries: [
      {
        id: 'run-1/1',
        at: '2026-11-21T10:00:01.000Z',
        kind: 'transcription',
        model: 'ears',
        runId: 'run-1',
        seconds: 61,
        amount: '-0.01269',
      },
      {
        id: expect.stringMatching(/^credit_/),
        at: '2026-11-21T10:00:00.000Z',
        kind: 'credit',
        model: null,
        amount: '5',
      },
    ],
  });
});

test('GET /v1/credits 200: what is left of the key’s budget, and when it begins again', async () => {
  const deps = testAccounts(dynamo);
  const { accountId } = await newTestAccount(deps, { credits: '5' });
  const request = serve(deps);
  const budgetOf = async (period: BudgetPeriod, spentNanoEuro: number) => {
    const budget = { amountNanoEuro: 1_000_000_000, period };
    const { key } = await createKey(deps, { accountId, label: 'limited', limits: { budget } });
    const principal = await authenticate(deps, `Bearer ${key}`);
    await reserve(deps, principal, costing(spentNanoEuro, spentNanoEuro));
    const answer = (await (await request('', key)).json()) as { reserved: string; budget: object };
    return answer.budget;
  };
  expect(await budgetOf('day', 250_000_000)).toEqual({
    amount: '1',
    period: 'day',
    spent: '0.25',
    left: '0.75',
    endsAt: '2026-11-22T00:00:00.000Z',
  });
  expect(await budgetOf('total', 1_000_000_000)).toEqual({
    amount: '1',
    period: 'total',
    spent: '1',
    left: '0',
  });
});

test('GET /v1/credits 200: pages follow each other by the cursor', async () => {
  const deps = testAccounts(dynamo);
  const { accountId, key } = await newTestAccount(deps, { credits: '1' });
  for (const id of ['a', 'b'])
    await applyCharge(deps, {
      id,
      at: '2026-11-21T10:00:00.000Z',
      kind: 'decision',
      payer: { accountId },
      model: 'judge',
      amountNanoEuro: 1,
    });
  const request = serve(deps);
  const first = (await (await request('?limit=2', key)).json()) as { entries: object[]; cursor: string };
  expect(first.entries).toHaveLength(2);
  const second = (await (await request(`?limit=2&cursor=${first.cursor}`, key)).json()) as typeof first;
  expect(second.entries).toHaveLength(1);
  expect(second).not.toHaveProperty('cursor');
});

test('GET /v1/credits 200 for an account with nothing left', async () => {
  const deps = testAccounts(dynamo);
  const { key } = await newTestAccount(deps, { credits: '0' });
  const response = await serve(deps)('', key);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ balance: '0', reserved: '0', available: '0', entries: [] });
});

test.each(['?limit=0', '?limit=101', '?limit=x', '?limit=-1', '?cursor=x', '?cursor='])(
  'GET /v1/credits%s 400 in plain text that names the field',
  async (query) => {
    const deps = testAccounts(dynamo);
    const { key } = await newTestAccount(deps);
    const response = await serve(deps)(query, key);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(query.includes('limit') ? /^limit: / : /^cursor: /);
  },
);

test('GET /v1/credits 401 without a key', async () => {
  const response = await serve(testAccounts(dynamo))('');
  expect(response.status).toBe(401);
  expect(await response.text()).toBe('Unauthorized');
});
