import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { anotherProcess, newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { applyCharge } from '../ledger.ts';
import { readCredits } from '../read-credits.ts';
import { reserve } from '../reserve.ts';
import { chargeOf, costing, holdMilliseconds } from '../test-support/calls.ts';
import { coverPrice } from './cover-price.ts';

let dynamo: TestDynamo;
let deps: ReturnType<typeof testAccounts>;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(() => {
  deps = testAccounts(dynamo, { rateLimitRequests: 100_000 });
});

/** An account with 1,000 nano-euro. */
const open = (limits = {}) =>
  newTestAccount(deps, { credits: '0.000001' }).then((account) => ({ ...account, ...limits }));

const about = { model: 'writer' };

test('a price above its reservation is charged whole if the account has the money', async () => {
  const account = await open();
  const credits = await reserve(deps, account, costing(300, 300));
  const covered = await coverPrice(deps, credits.reservation, 1_000, about);
  expect(covered).toEqual({ amountNanoEuro: 1_000 });
  await applyCharge(deps, { ...chargeOf(deps, 'one', credits, 0), ...covered });
  expect(await readCredits(deps, account.accountId)).toMatchObject({ balanceNanoEuro: 0 });
});

test('the part of a price beyond the key’s budget is written off, and logged without its caller', async () => {
  const account = await open({ limits: { budget: { amountNanoEuro: 500, period: 'total' } } });
  const credits = await reserve(deps, account, costing(300, 300));
  const warn = vi.spyOn(deps.log, 'warn');
  expect(await coverPrice(deps, credits.reservation, 900, about)).toEqual({
    amountNanoEuro: 500,
    writtenOffNanoEuro: 400,
  });
  expect(warn.mock.calls).toEqual([
    ['price written off', { ...about, reservation: credits.reservation?.id, amount: '0.0000004' }],
  ]);
  warn.mockRestore();
});

test('a price is charged up to what was set aside while the store fails', async () => {
  const account = await open();
  const credits = await reserve(deps, account, costing(300, 300));
  const failing = anotherProcess(dynamo, deps);
  failing.close();
  failing.dynamodb.middlewareStack.add(
    () => async () => {
      throw new Error('down');
    },
    { step: 'initialize' },
  );
  expect(await coverPrice(failing, credits.reservation, 5_000, about)).toEqual({
    amountNanoEuro: 300,
    writtenOffNanoEuro: 4_700,
  });
});

test('a price is charged up to what was set aside after the reservation has ended by itself', async () => {
  const account = await open();
  const credits = await reserve(deps, account, costing(300, 300));
  deps.clock.advance(holdMilliseconds);
  await readCredits(deps, account.accountId);
  expect(await coverPrice(deps, credits.reservation, 5_000, about)).toEqual({
    amountNanoEuro: 300,
    writtenOffNanoEuro: 4_700,
  });
});

test('a price takes the balance and the budget below zero by its overrun alone', async () => {
  for (const limits of [{}, { limits: { budget: { amountNanoEuro: 1_000, period: 'total' } } }]) {
    const account = await open(limits);
    const credits = await reserve(deps, account, costing(300, 300));
    expect(await coverPrice(deps, credits.reservation, 5_000, { ...about, overrunNanoEuro: 200 })).toEqual({
      amountNanoEuro: 1_200,
      writtenOffNanoEuro: 3_800,
    });
  }
});

test('the balance never falls below zero however much calls are billed, and nothing stays reserved', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ reserved: fc.integer({ min: 1, max: 400 }), price: fc.integer({ min: 0, max: 2_000 }) }),
        {
          minLength: 1,
          maxLength: 8,
        },
      ),
      async (calls) => {
        const account = await open();
        await Promise.all(
          calls.map(async ({ reserved, price }, index) => {
            const credits = await reserve(deps, account, costing(reserved, reserved)).catch(() => undefined);
            if (!credits) return;
            const covered = await coverPrice(deps, credits.reservation, price, about);
            expect(covered.amountNanoEuro + (covered.writtenOffNanoEuro ?? 0)).toBe(price);
            await applyCharge(deps, { ...chargeOf(deps, `call-${index}`, credits, 0), ...covered });
          }),
        );
        const { balanceNanoEuro, availableNanoEuro } = await readCredits(deps, account.accountId);
        expect(balanceNanoEuro).toBeGreaterThanOrEqual(0);
        expect(availableNanoEuro).toBe(balanceNanoEuro);
      },
    ),
    { numRuns: 40 },
  );
});
