import { createAccount, updateOrganisation } from '@errand/accounts';
import type { BudgetPeriod, Principal } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anotherProcess, newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { applyCharge } from '../ledger.ts';
import { readAccountPurse, readCredits } from '../read-credits.ts';
import { countIn, reserve } from '../reserve.ts';
import { showCredits } from '../show-credits.ts';
import { itemKeys } from '../store.ts';
import { chargeOf, costing, holdMilliseconds, letIn, windowOf } from '../test-support/calls.ts';
import { writeDraft } from './drafts.ts';
import { releaseReservation, renewReservation } from './reservation.ts';
import { readStoredPurse } from './store.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const hour = 3_600_000;
const budgetOf = (amountNanoEuro: number, period: BudgetPeriod = 'total') => ({
  limits: { budget: { amountNanoEuro, period } },
});

/** A key of an account with 10 EUR that may spend 1,000 nano-euro. Its clock is at 10:00 of a Saturday, the 21st. */
async function open(period: BudgetPeriod = 'total') {
  const deps = testAccounts(dynamo, { rateLimitRequests: 100_000 });
  const account = await newTestAccount(deps);
  const principal: Principal = {
    accountId: account.accountId,
    keyId: account.keyId,
    ...budgetOf(1_000, period),
  };
  let calls = 0;
  /** A call that costs so much. */
  const spend = async (amountNanoEuro: number, from = principal) => {
    const { credits } = await letIn(deps, from, costing(amountNanoEuro, amountNanoEuro));
    await applyCharge(deps, chargeOf(deps, `call-${calls++}`, credits!, amountNanoEuro));
  };
  const budgets = async () => Object.fromEntries((await readAccountPurse(deps, account.accountId)).budgets);
  return { deps, account, principal, spend, budgets };
}

describe('a budget', () => {
  test('is kept at any concurrency, in several processes, and its unspent part is available again', async () => {
    const { deps, account, principal, budgets } = await open();
    const others = [anotherProcess(dynamo, deps), anotherProcess(dynamo, deps)];
    const processes = [deps, ...others];
    const entering = Array.from({ length: 60 }, (_, i) =>
      letIn(processes[i % 3]!, principal, costing(90, 90)),
    );
    const answers = await Promise.all(entering);
    const credits = answers.flatMap((answer) => answer.credits ?? []);
    expect(credits).toHaveLength(11);
    for (const { refusal } of answers)
      if (refusal) expect(refusal).toMatchObject({ code: 'budget_spent', details: { period: 'total' } });
    for (const [index, one] of credits.entries())
      await applyCharge(deps, chargeOf(deps, `call-${index}`, one, 10));
    expect(Object.values(await budgets())).toEqual([110]);
    expect((await readAccountPurse(deps, account.accountId)).holds.size).toBe(0);
    expect((await reserve(deps, principal, costing(890, 890))).reservation?.nanoEuro).toBe(890);
    for (const other of others) other.close();
  });

  test('lets the last request have all that is left of it', async () => {
    const { deps, principal, spend } = await open();
    await spend(700);
    expect((await reserve(deps, principal, costing(5_000))).reservation?.nanoEuro).toBe(300);
    expect((await letIn(deps, principal, costing(1))).refusal).toMatchObject({ code: 'budget_spent' });
  });

  test('is the key’s own: the account’s other keys go on', async () => {
    const { deps, account, spend, principal } = await open();
    await spend(1_000);
    expect((await letIn(deps, principal, costing(1))).refusal?.code).toBe('budget_spent');
    await reserve(deps, account, costing(1));
  });

  test.each<[BudgetPeriod, number, number]>([
    ['day', 14 * hour, 1],
    ['week', 38 * hour, 2],
    ['month', (14 + 9 * 24) * hour, 10],
  ])('of a %s begins again with the next one, and the answer says when', async (period, left) => {
    const { deps, principal, spend, budgets } = await open(period);
    await spend(1_000);
    expect((await letIn(deps, principal, costing(1))).refusal).toMatchObject({
      code: 'budget_spent',
      details: { amount: '0.000001', period, retryAfterSeconds: left / 1_000 },
    });
    deps.clock.advance(left - 1);
    expect((await letIn(deps, principal, costing(1))).refusal?.code).toBe('budget_spent');
    deps.clock.advance(1);
    await spend(1_000);
    expect((await letIn(deps, principal, costing(1))).refusal?.code).toBe('budget_spent');
    expect(Object.values(await budgets())).toEqual([1_000]);
  });

  test('in total never begins again', async () => {
    const { deps, principal, spend } = await open();
    await spend(1_000);
    deps.clock.advance(400 * 24 * hour);
    const { refusal } = await letIn(deps, principal, costing(1));
    expect(refusal).toMatchObject({ code: 'budget_spent' });
    expect(refusal?.details).not.toHaveProperty('retryAfterSeconds');
  });

  test('whose limit changes applies at once, with what was spent before', async () => {
    const { deps, principal, spend } = await open('day');
    await spend(600);
    const lower = { ...principal, ...budgetOf(500, 'day') };
    expect((await letIn(deps, lower, costing(1))).refusal?.code).toBe('budget_spent');
    const higher = { ...principal, ...budgetOf(2_000, 'day') };
    await spend(1_400, higher);
    expect((await letIn(deps, higher, costing(1))).refusal?.code).toBe('budget_spent');
  });

  test('pays for a call over the end of its period, also one that needs more then', async () => {
    const { deps, account, principal, spend, budgets } = await open('day');
    const credits = await reserve(deps, principal, costing(400));
    for (let i = 0; i < 15; i++) {
      deps.clock.advance(hour);
      await renewReservation(deps, credits.reservation!, 0);
    }
    await spend(10);
    await spend(10);
    expect(await renewReservation(deps, credits.reservation!, 100)).toBe(true);
    await applyCharge(deps, chargeOf(deps, 'long', credits, 500));
    await spend(980);
    expect((await letIn(deps, principal, costing(1))).refusal?.code).toBe('budget_spent');
    await countIn(deps, account.accountId, [windowOf(deps)]);
    await countIn(deps, account.accountId, [windowOf(deps)]);
    expect(Object.keys(await budgets())).toHaveLength(1);
  });

  test('counts what is known of a call whose process died, and no more', async () => {
    const { deps, account, principal, budgets } = await open();
    const known = await reserve(deps, principal, costing(400));
    await writeDraft(deps, known.reservation!, chargeOf(deps, 'known', known, 150));
    await reserve(deps, principal, costing(400));
    expect(Object.values(await budgets())).toEqual([800]);
    deps.clock.advance(holdMilliseconds);
    await readCredits(deps, account.accountId);
    expect(Object.values(await budgets())).toEqual([150]);
  });
});

test('attributes of windows and budgets that have ended are removed by a later request', async () => {
  const { deps, account, spend } = await open('day');
  await spend(10);
  deps.clock.advance(24 * hour);
  for (let i = 0; i < 2; i++) await spend(10);
  const purse = await readAccountPurse(deps, account.accountId);
  expect([purse.windows.size, purse.budgets.size]).toEqual([1, 1]);
});

describe('the ceiling of an organisation', () => {
  /** Two accounts of an organisation that may spend 1,000 nano-euro a month. */
  async function openOrganisation() {
    const deps = testAccounts(dynamo, { rateLimitRequests: 100_000 });
    const first = await newTestAccount(deps, { credits: '0', subscription: true });
    const organisationId = first.organisationId!;
    const made = await createAccount(deps, { name: 'Second', creditsNanoEuro: 0, organisationId });
    await updateOrganisation(deps, { organisationId, ceilingNanoEuro: 1_000 });
    const second: Principal = { accountId: made.accountId, keyId: 'second', organisationId };
    const ceiling = async () => {
      const { budgets, holds } = await readStoredPurse(deps, itemKeys.ceiling(organisationId));
      return { spent: [...budgets.values()], holds: holds.size };
    };
    return { deps, first: first as Principal, second, organisationId, ceiling };
  }

  test('is kept by its accounts together, at any concurrency', async () => {
    const { deps, first, second, organisationId, ceiling } = await openOrganisation();
    const entering = Array.from({ length: 60 }, (_, i) =>
      letIn(deps, i % 2 === 0 ? first : second, costing(90, 90)),
    );
    const answers = await Promise.all(entering);
    const credits = answers.flatMap((answer) => answer.credits ?? []);
    expect(credits).toHaveLength(11);
    for (const { refusal } of answers)
      if (refusal)
        expect(refusal).toMatchObject({
          code: 'ceiling_spent',
          details: { organisationId, amount: '0.000001', retryAfterSeconds: 230 * 3_600 },
        });
    for (const [index, one] of credits.entries())
      await applyCharge(deps, chargeOf(deps, `call-${index}`, one, 10));
    expect(await ceiling()).toEqual({ spent: [110], holds: 0 });
    for (const { accountId } of [first, second])
      expect(await readAccountPurse(deps, accountId)).toMatchObject({
        balanceNanoEuro: 0,
        availableNanoEuro: 0,
        holds: new Map(),
      });
  });

  test('applies together with the budget of a key: whichever has less left decides', async () => {
    const { deps, first, ceiling } = await openOrganisation();
    const limited = { ...first, ...budgetOf(300) };
    const { reservation } = await reserve(deps, limited, costing(5_000));
    expect(reservation?.nanoEuro).toBe(300);
    expect((await letIn(deps, limited, costing(1))).refusal?.code).toBe('budget_spent');
    const rest = await reserve(deps, first, costing(5_000));
    expect(rest.reservation?.nanoEuro).toBe(700);
    await releaseReservation(deps, reservation);
    await releaseReservation(deps, rest.reservation);
    expect(await ceiling()).toEqual({ spent: [0], holds: 0 });
    await reserve(deps, first, costing(1_000, 1_000));
    expect((await letIn(deps, limited, costing(1))).refusal?.code).toBe('ceiling_spent');
    expect([...(await readAccountPurse(deps, first.accountId)).budgets.values()]).toEqual([0]);
  });

  test('gets back what a dead process had set aside, and counts what is known of its call', async () => {
    const { deps, first, second, ceiling } = await openOrganisation();
    const credits = await reserve(deps, first, costing(600));
    await writeDraft(deps, credits.reservation!, chargeOf(deps, 'dead', credits, 50));
    deps.clock.advance(holdMilliseconds);
    expect((await reserve(deps, second, costing(5_000))).reservation?.nanoEuro).toBe(1_000);
    await readCredits(deps, first.accountId);
    expect(await ceiling()).toEqual({ spent: [1_050], holds: 1 });
  });

  test('that ended its hold before the account’s is charged once, whoever comes first', async () => {
    const { deps, first, second, ceiling } = await openOrganisation();
    const credits = await reserve(deps, first, costing(600));
    await writeDraft(deps, credits.reservation!, chargeOf(deps, 'slow', credits, 50));
    deps.clock.advance(holdMilliseconds);
    const other = await reserve(deps, second, costing(100));
    await releaseReservation(deps, other.reservation);
    await applyCharge(deps, chargeOf(deps, 'slow', credits, 200));
    deps.clock.advance(holdMilliseconds);
    await readCredits(deps, first.accountId);
    expect(await ceiling()).toEqual({ spent: [200], holds: 0 });
  });

  test('that ended its hold with the account’s is charged what the call cost, though a renewal noticed the account’s alone', async () => {
    const { deps, first, second, organisationId, ceiling } = await openOrganisation();
    const credits = await reserve(deps, { ...first, ...budgetOf(900) }, costing(600));
    const call = (amount: number) => chargeOf(deps, 'slow', credits, amount);
    await writeDraft(deps, credits.reservation!, call(150));
    deps.clock.advance(holdMilliseconds);
    await readCredits(deps, first.accountId);
    const other = await reserve(deps, second, costing(100));
    await releaseReservation(deps, other.reservation);
    await renewReservation(deps, credits.reservation!, 0);
    await applyCharge(deps, call(200));
    const { entries } = await showCredits(deps, { organisationId });
    expect(entries.map(({ amountNanoEuro }) => amountNanoEuro).toSorted((a, b) => a - b)).toEqual([
      -150, -50,
    ]);
    expect(await ceiling()).toEqual({ spent: [200], holds: 0 });
  });

  test('of the month begins again with the next one', async () => {
    const { deps, first } = await openOrganisation();
    const credits = await reserve(deps, first, costing(1_000));
    await applyCharge(deps, chargeOf(deps, `month-${first.accountId}`, credits, 1_000));
    expect((await letIn(deps, first, costing(1))).refusal?.code).toBe('ceiling_spent');
    deps.clock.advance(230 * hour);
    await reserve(deps, first, costing(1));
  });
});
