import { limits, toIso } from '@errand/platform';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import type { Charge } from '../charge.ts';
import { applyCharge } from '../ledger.ts';
import { checkRollUps } from './check-roll-ups.ts';
import { reportUsage, usageOwnerOf } from './report-usage.ts';
import type { GroupField } from './rows.ts';
import { chargeOf, hour, ledgerSums, padLedger } from './test-support/usage.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const day = 24 * hour;
const start = Date.parse('2026-11-21T00:00:00Z');
const nextDay = { from: start, to: start + day };

async function newAccount(at = start) {
  const deps = testAccounts(dynamo);
  deps.clock.advance(at - deps.clock());
  const { accountId } = await newTestAccount(deps, { credits: '0' });
  const charge = (id: string, more: Partial<Charge> = {}) =>
    applyCharge(deps, chargeOf({ accountId }, id, deps.clock(), more));
  return { deps, accountId, charge };
}

async function problemsOf(deps: Parameters<typeof checkRollUps>[0], accountId: string) {
  const problems = [];
  for await (const problem of checkRollUps(deps, accountId)) problems.push(problem);
  return problems;
}

const charging = fc.record({
  kind: fc.constant('charge' as const),
  afterMinutes: fc.integer({ min: 0, max: 600 }),
  lateMinutes: fc.constantFrom(0, 0, 0, 1, 59, 60, 1500),
  key: fc.constantFrom('key_a', 'key_b', undefined),
  model: fc.constantFrom('writer', 'seer'),
  skill: fc.constantFrom('brief', undefined),
  amountNanoEuro: fc.integer({ min: 0, max: 5e9 }),
  inputTokens: fc.option(fc.integer({ min: 0, max: 1e5 }), { nil: undefined }),
});
const reporting = fc.record({
  kind: fc.constant('report' as const),
  afterMinutes: fc.integer({ min: 0, max: 600 }),
  fromMinutes: fc.oneof(fc.integer({ min: -600, max: 7200 }), fc.constantFrom(-1440, 0, 60, 1440, 2880)),
  minutes: fc.oneof(fc.integer({ min: 1, max: 7200 }), fc.constantFrom(60, 1440, 2880, 4320)),
  groupBy: fc.subarray<GroupField>(['day', 'key', 'model', 'kind', 'skill']),
  byHour: fc.boolean(),
  twice: fc.boolean(),
});

test('any report, of whatever was rolled up before, has the sums of the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(charging, reporting), { maxLength: 25 }), async (steps) => {
      const { deps, accountId, charge } = await newAccount();
      for (const [i, step] of steps.entries()) {
        deps.clock.advance(step.afterMinutes * 60_000);
        if (step.kind === 'charge') {
          const { key, skill, lateMinutes, inputTokens } = step;
          await charge(`c${i}`, {
            at: toIso(deps.clock() - lateMinutes * 60_000),
            model: step.model,
            amountNanoEuro: step.amountNanoEuro,
            keyId: key,
            skill: skill && { id: 's', name: skill, version: 1 },
            inputTokens,
          });
          continue;
        }
        const from = start + step.fromMinutes * 60_000;
        const groupBy = step.byHour
          ? ['hour' as const, ...step.groupBy.filter((field) => field !== 'day')]
          : step.groupBy;
        const query = { from, to: from + step.minutes * 60_000, groupBy };
        const reports = await Promise.all(
          Array.from({ length: step.twice ? 2 : 1 }, () => reportUsage(deps, { accountId }, query)),
        );
        const expected = await ledgerSums(deps, { accountId }, query);
        for (const { rows } of reports) expect(rows).toEqual(expected);
      }
      expect(await problemsOf(deps, accountId)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

describe('a closed hour', () => {
  test('is read from the ledger once, however often a year is asked for', async () => {
    const { deps, accountId, charge } = await newAccount(start - 40 * day);
    for (let i = 0; i < 40; i++) {
      await charge(`c${i}`);
      deps.clock.advance(day);
    }
    const query = { from: start - 365 * day, to: start + day, groupBy: ['day' as const] };
    const count = async () => {
      const before = dynamo.requests();
      const { rows } = await reportUsage(deps, { accountId }, query);
      expect(rows).toHaveLength(40);
      return dynamo.requests() - before;
    };
    expect(await count()).toBeGreaterThan(40);
    // The roll-ups, when the ledger begins, the last hour of yesterday, which is open for its grace, and today.
    expect(await count()).toBe(4);
  });

  test('stays open for its grace, so that what is written late is in it', async () => {
    const { deps, accountId, charge } = await newAccount(start + hour - 1);
    deps.clock.advance(1 + limits.usageGraceMilliseconds - 1);
    const query = { ...nextDay, groupBy: ['hour' as const] };
    await reportUsage(deps, { accountId }, query);
    deps.clock.advance(-limits.usageGraceMilliseconds);
    await charge('in flight');
    deps.clock.advance(limits.usageGraceMilliseconds + 1);
    const { rows } = await reportUsage(deps, { accountId }, query);
    expect(rows).toMatchObject([{ hour: toIso(start), requests: 1 }]);
  });

  test('is not trusted after the clock was set back: entries that are written then are in the sums', async () => {
    const { deps, accountId, charge } = await newAccount();
    await charge('first');
    deps.clock.advance(5 * hour);
    const query = { ...nextDay, groupBy: ['day' as const] };
    await reportUsage(deps, { accountId }, query);
    deps.clock.advance(-3 * hour);
    await charge('second');
    expect((await reportUsage(deps, { accountId }, query)).rows).toMatchObject([{ requests: 2 }]);
    deps.clock.advance(5 * hour);
    expect((await reportUsage(deps, { accountId }, query)).rows).toMatchObject([{ requests: 2 }]);
  });

  test('that is wrong is reported, and counted again on request', async () => {
    const { deps, accountId, charge } = await newAccount();
    await charge('first');
    deps.clock.advance(5 * hour);
    const query = { ...nextDay, groupBy: ['day' as const] };
    await reportUsage(deps, { accountId }, query);
    deps.clock.advance(-5 * hour);
    await charge('forged');
    deps.clock.advance(5 * hour);
    expect(await problemsOf(deps, accountId)).toEqual([
      { of: 'account', id: accountId, problem: 'The roll-up of 2026-11-21 is not what the ledger has.' },
    ]);
    const { rows } = await reportUsage(deps, { accountId }, query, { recount: true });
    expect(rows).toMatchObject([{ requests: 2 }]);
    expect(await problemsOf(deps, accountId)).toEqual([]);
  });
});

test('a deferred charge belongs to the hour in which it is written', async () => {
  const { deps, accountId, charge } = await newAccount(start + 30 * hour);
  await charge('deferred', { at: toIso(start + 2 * hour) });
  const { rows } = await reportUsage(
    deps,
    { accountId },
    { from: start, to: start + 2 * day, groupBy: ['hour'] },
  );
  expect(rows).toMatchObject([{ hour: toIso(start + 30 * hour), requests: 1 }]);
});

test('reports at the same time agree, and leave one roll-up', async () => {
  const { deps, accountId, charge } = await newAccount();
  for (let i = 0; i < 12; i++) {
    await charge(`c${i}`, { keyId: `key_${i}` });
    deps.clock.advance(hour);
  }
  const query = { ...nextDay, groupBy: ['hour' as const, 'key' as const] };
  const reports = await Promise.all(Array.from({ length: 8 }, () => reportUsage(deps, { accountId }, query)));
  for (const report of reports) expect(report).toEqual(reports[0]);
  expect(reports[0]?.rows).toHaveLength(12);
  expect(await problemsOf(deps, accountId)).toEqual([]);
});

describe('a day with more entries than a page', () => {
  test('is summed whole', async () => {
    const { deps, accountId } = await newAccount();
    await padLedger(dynamo, accountId, { start, entries: 60, everyMilliseconds: 7 * 60_000 });
    deps.clock.advance(2 * day);
    const query = { ...nextDay, groupBy: ['hour' as const] };
    const { rows } = await reportUsage(deps, { accountId }, query);
    expect(rows).toEqual(await ledgerSums(deps, { accountId }, query));
    expect(rows).toHaveLength(7);
  });

  test('that takes too long is refused, and each report gets further', async () => {
    const { deps, accountId } = await newAccount();
    await padLedger(dynamo, accountId, { start, entries: 120, everyMilliseconds: 10 * 60_000 });
    let now = start + 2 * day;
    const slow = { ...deps, clock: () => now++ };
    const query = { ...nextDay, groupBy: ['day' as const] };
    let refused = 0;
    for (; refused < 100; refused++)
      try {
        const { rows } = await reportUsage(slow, { accountId }, query, { patienceMilliseconds: 12 });
        expect(rows).toMatchObject([{ requests: 120 }]);
        break;
      } catch (error) {
        expect(error).toMatchObject({ code: 'store_unavailable' });
      }
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(20);
  });
});

test('entries of an earlier release are counted, with null where they say nothing', async () => {
  const { deps, accountId } = await newAccount();
  await padLedger(dynamo, accountId, { start, entries: 1, everyMilliseconds: 1 });
  deps.clock.advance(2 * day);
  const { rows } = await reportUsage(deps, { accountId }, { ...nextDay, groupBy: ['key', 'model', 'skill'] });
  expect(rows).toEqual([
    {
      key: null,
      model: 'writer',
      skill: null,
      amount: '0.000000005',
      requests: 1,
      inputTokens: 100,
      cachedInputTokens: 0,
      outputTokens: 7,
      seconds: 0,
      energy: 0,
      emissions: 0,
    },
  ]);
});

describe('under a subscription', () => {
  async function organisation() {
    const deps = testAccounts(dynamo);
    const { accountId, organisationId } = await newTestAccount(deps, { credits: '1', subscription: true });
    const payer = { accountId, organisationId: organisationId! };
    const now = deps.clock();
    await applyCharge(deps, chargeOf({ accountId }, 'own', now));
    await applyCharge(deps, chargeOf(payer, 'paid', now));
    await applyCharge(deps, chargeOf({ ...payer, accountId: 'account_other' }, 'other', now));
    deps.clock.advance(3 * hour);
    return { deps, accountId, organisationId: payer.organisationId };
  }
  const query = { ...nextDay, groupBy: ['day' as const] };

  test('the report of an account has its own work, whoever paid for the work', async () => {
    const { deps, accountId, organisationId } = await organisation();
    const owner = usageOwnerOf({ keyId: 'key', accountId, organisationId }, 'account');
    expect((await reportUsage(deps, owner, query)).rows).toMatchObject([{ requests: 2 }]);
  });

  test('the organisation has what it paid, for keys that are marked as operator alone', async () => {
    const { deps, accountId, organisationId } = await organisation();
    const principal = { keyId: 'key', accountId, organisationId };
    const owner = usageOwnerOf({ ...principal, limits: { isOperator: true } }, 'organisation');
    expect((await reportUsage(deps, owner, query)).rows).toMatchObject([{ requests: 2 }]);
    for (const wrong of [principal, { keyId: 'key', accountId, limits: { isOperator: true } }])
      expect(() => usageOwnerOf(wrong, 'organisation')).toThrow('operator_only');
  });
});
