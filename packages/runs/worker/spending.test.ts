import { type AccountsDeps, updateKey } from '@errand/accounts';
import { applyCharge, type Reservation, releaseAbandoned, reserve } from '@errand/money';
import { getItem, newUuid, toIso } from '@errand/platform';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HeldClock, newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { runSpending, type SpendingRun } from './spending.ts';

let dynamo: TestDynamo;
let deps: AccountsDeps & { clock: HeldClock };

beforeAll(async () => {
  dynamo = await startTestDynamo();
  deps = testAccounts(dynamo);
  deps.clock.startTimer = () => () => {};
});
afterAll(() => dynamo.close());

const allOrNothing = (mostNanoEuro: number) => ({ mostNanoEuro, within: async () => undefined });
const whatIsThere = (mostNanoEuro: number) => ({
  mostNanoEuro,
  within: async (there: number) => Math.min(there, mostNanoEuro),
});

async function newRun(nanoEuro: number, more: Partial<SpendingRun> = {}): Promise<SpendingRun> {
  const credits = (nanoEuro / 1e9).toFixed(9);
  const { accountId, keyId } = await newTestAccount(deps, { credits });
  return { agentId: newUuid(), keyId, payer: { accountId }, amountNanoEuro: 0, ...more };
}

const reserveFor = async ({ keyId, payer }: SpendingRun, nanoEuro: number): Promise<Reservation> =>
  (await reserve(deps, { keyId, accountId: payer.accountId }, allOrNothing(nanoEuro))).reservation!;

async function purseOf({ payer }: SpendingRun) {
  const key = { pk: `ACCOUNT#${payer.accountId}`, sk: 'BALANCE' };
  const item = (await getItem<Record<string, unknown>>(deps, deps.tables.accounts, key)) ?? {};
  return {
    balance: Number(item.balanceNanoEuro),
    available: Number(item.availableNanoEuro ?? item.balanceNanoEuro),
    holds: Object.keys(item).filter((name) => name.startsWith('h:')).length,
  };
}

test('calls that are made side by side stay within the cap together', async () => {
  const run = await newRun(1_000, { maxNanoEuro: 100 });
  const spending = runSpending(deps, run);
  const held = await Promise.all([1, 2, 3, 4].map(() => spending.reserve(allOrNothing(40), 'tool')));
  expect(held.map((one) => one?.nanoEuro)).toEqual([40, 40, undefined, undefined]);
  expect((await spending.reserve(whatIsThere(40), 'completion'))?.nanoEuro).toBe(20);
  expect(await purseOf(run)).toMatchObject({ available: 900, holds: 3 });
});

test('a run’s earlier spending, and the cost of its calls, count against the cap', async () => {
  const run = await newRun(1_000, { maxNanoEuro: 100, amountNanoEuro: 50 });
  const spending = runSpending(deps, run);
  const first = await spending.reserve(whatIsThere(80), 'completion');
  expect(first?.nanoEuro).toBe(50);
  await first?.spend(10);
  const second = await spending.reserve(whatIsThere(80), 'completion');
  expect(second?.nanoEuro).toBe(40);
  await second?.release();
  expect((await spending.reserve(whatIsThere(80), 'completion'))?.nanoEuro).toBe(40);
});

test('what is lent to sub-runs is out of the cap, in equal parts, until they give back what they have not used', async () => {
  const run = await newRun(1_000, { maxNanoEuro: 100, amountNanoEuro: 20 });
  const spending = runSpending(deps, run);
  expect(await spending.lend(3)).toBe(20);
  const rest = await spending.reserve(whatIsThere(80), 'completion');
  expect(rest?.nanoEuro).toBe(20);
  await rest?.release();
  for (const used of [5, 0, 20]) await spending.takeBack(20, used);
  expect((await spending.reserve(whatIsThere(80), 'completion'))?.nanoEuro).toBe(55);
  expect(await runSpending(deps, { ...run, maxNanoEuro: undefined }).lend(3)).toBeUndefined();
});

test('what sub-runs have used, and what is still lent to them, counts against the cap for the next worker', async () => {
  const used = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0 };
  const subRuns = { ...used, audioSeconds: 0, completions: 1, amountNanoEuro: 30, lentNanoEuro: 40 };
  const spending = runSpending(deps, await newRun(1_000, { maxNanoEuro: 100, amountNanoEuro: 20, subRuns }));
  expect((await spending.reserve(whatIsThere(80), 'completion'))?.nanoEuro).toBe(10);
  expect(await spending.lend(4)).toBe(0);
});

test('a run gets no more than its account has, or its key may spend', async () => {
  const run = await newRun(100, { maxNanoEuro: 1_000 });
  const spending = runSpending(deps, run);
  expect(await spending.reserve(allOrNothing(101), 'tool')).toBeUndefined();
  const all = await spending.reserve(whatIsThere(101), 'completion');
  expect(all?.nanoEuro).toBe(100);
  expect(await spending.reserve(whatIsThere(1), 'completion')).toBeUndefined();
  await all?.release();
  await updateKey(deps, run.keyId, { budget: { amountNanoEuro: 30, period: 'total' } });
  expect((await spending.reserve(whatIsThere(101), 'completion'))?.nanoEuro).toBe(30);
  expect(await spending.reserve(allOrNothing(1), 'tool')).toBeUndefined();
});

test('a call that costs nothing needs no credits', async () => {
  const run = await newRun(0);
  expect((await runSpending(deps, run).reserve(allOrNothing(0), 'completion'))?.nanoEuro).toBe(0);
});

test('the first completion uses the reservation of the creation, and sets aside what is missing', async () => {
  const run = await newRun(100);
  const reservation = await reserveFor(run, 40);
  const spending = runSpending(deps, { ...run, reservation });
  expect((await spending.reserve(allOrNothing(10), 'tool'))?.nanoEuro).toBe(10);
  const completion = await spending.reserve(allOrNothing(60), 'completion');
  expect(completion?.nanoEuro).toBe(60);
  expect(await purseOf(run)).toMatchObject({ available: 30, holds: 2 });
  expect((await spending.reserve(whatIsThere(60), 'completion'))?.nanoEuro).toBe(30);
});

test('the first completion makes do with what the account has if the missing amount is more', async () => {
  const run = await newRun(100);
  const spending = runSpending(deps, { ...run, reservation: await reserveFor(run, 40) });
  expect((await spending.reserve(whatIsThere(120), 'completion'))?.nanoEuro).toBe(100);
  expect(await purseOf(run)).toMatchObject({ available: 0, holds: 1 });
});

test('the reservation of the creation is given back if it does not pay for the input', async () => {
  const run = await newRun(100);
  const spending = runSpending(deps, { ...run, reservation: await reserveFor(run, 40) });
  expect(await spending.reserve(allOrNothing(120), 'completion')).toBeUndefined();
  expect(await purseOf(run)).toMatchObject({ available: 100, holds: 0 });
});

test('a run whose first reservation has ended sets aside anew', async () => {
  const run = await newRun(100);
  const reservation = await reserveFor(run, 40);
  const earlier = runSpending(deps, { ...run, reservation });
  await earlier.end();
  expect(await purseOf(run)).toMatchObject({ available: 100, holds: 0 });
  const spending = runSpending(deps, { ...run, reservation });
  expect((await spending.reserve(allOrNothing(90), 'completion'))?.nanoEuro).toBe(90);
});

test('a cost takes its reservation along, and one that was never committed can be given back', async () => {
  const run = await newRun(100);
  const spending = runSpending(deps, run);
  const [charged, dropped] = [
    await spending.reserve(allOrNothing(30), 'tool'),
    await spending.reserve(allOrNothing(20), 'tool'),
  ];
  const spent = (await charged?.spend(25))!;
  await dropped?.spend(15);
  await applyCharge(deps, {
    id: `${run.keyId}:tool-1`,
    at: toIso(deps.clock()),
    kind: 'vision',
    payer: run.payer,
    model: 'eyes',
    ...spent,
  });
  await Promise.all([charged?.release(), dropped?.release()]);
  expect(await purseOf(run)).toEqual({ balance: 75, available: 75, holds: 0 });
});

test('a run never has more set aside than its cap or its account, and all of it returns', async () => {
  const step = fc.record({
    most: fc.integer({ min: 0, max: 60 }),
    kind: fc.constantFrom('completion' as const, 'tool' as const),
    cost: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        account: fc.integer({ min: 50, max: 200 }),
        cap: fc.integer({ min: 1, max: 200 }),
        first: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
        steps: fc.array(step, { minLength: 1, maxLength: 6 }),
      }),
      async ({ account, cap, first, steps }) => {
        const run = await newRun(account, { maxNanoEuro: Math.max(cap, first ?? 0) });
        const reservation = first === undefined ? undefined : await reserveFor(run, first);
        const spending = runSpending(deps, { ...run, ...(reservation && { reservation }) });
        const held = await Promise.all(
          steps.map(async ({ most, kind }) => spending.reserve(whatIsThere(most), kind)),
        );
        const sum = held.reduce((total, one) => total + (one?.nanoEuro ?? 0), 0);
        expect(sum).toBeLessThanOrEqual(Math.min(account, Math.max(cap, first ?? 0)));
        await Promise.all(held.map((one) => one?.release()));
        await spending.end();
        expect(await purseOf(run)).toEqual({ balance: account, available: account, holds: 0 });
      },
    ),
    { numRuns: 25 },
  );
});

test('a bill above the cap of a run is written off, also by simultaneous calls', async () => {
  const run = await newRun(10_000, { maxNanoEuro: 100 });
  const spending = runSpending(deps, run);
  const calls = await Promise.all([1, 2].map(() => spending.reserve(allOrNothing(40), 'tool')));
  const spent = await Promise.all(calls.map((call) => call?.spend(500)));
  expect(spent.map((one) => one?.amountNanoEuro)).toEqual([60, 40]);
  expect(spent.map((one) => one?.writtenOffNanoEuro)).toEqual([440, 460]);
  expect(await spending.reserve(whatIsThere(40), 'completion')).toBeUndefined();
});

test('what a run whose worker has ended had set aside is given back, and nothing of another run', async () => {
  const run = await newRun(100, { reservation: undefined });
  const reservation = await reserveFor(run, 10);
  await runSpending(deps, { ...run, reservation }).reserve(whatIsThere(60), 'tool');
  const other = { ...run, agentId: newUuid() };
  await runSpending(deps, other).reserve(whatIsThere(60), 'tool');
  expect(await purseOf(run)).toEqual({ balance: 100, available: 0, holds: 3 });
  await releaseAbandoned(deps, run.payer, run.agentId);
  // The creation's reservation is the run's, whichever worker has the run.
  expect(await purseOf(run)).toEqual({ balance: 100, available: 60, holds: 2 });
});
