import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { addCredits } from './add-credits.ts';
import { applyCharge } from './ledger.ts';
import { showCredits } from './show-credits.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

describe('addCredits', () => {
  test('changes the balance and writes a ledger entry, in both directions', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '1' });
    deps.clock.advance(1000);
    expect(await addCredits(deps, { accountId, amountNanoEuro: 5_000_000_000 })).toEqual({
      accountId,
      balanceNanoEuro: 6_000_000_000,
    });
    deps.clock.advance(1000);
    await addCredits(deps, { accountId, amountNanoEuro: -7_000_000_000 });
    const { balanceNanoEuro, entries } = await showCredits(deps, { accountId });
    expect(balanceNanoEuro).toBe(-1_000_000_000);
    expect(entries.map(({ kind, amountNanoEuro }) => [kind, amountNanoEuro])).toEqual([
      ['credit', -7_000_000_000],
      ['credit', 5_000_000_000],
      ['credit', 1_000_000_000],
    ]);
  });

  test('to an unknown account is refused and creates none', async () => {
    const deps = testAccounts(dynamo);
    const adding = addCredits(deps, { accountId: 'account_none', amountNanoEuro: 1 });
    await expect(adding).rejects.toMatchObject({ code: 'not_found' });
    await expect(showCredits(deps, { accountId: 'account_none' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('past the largest balance is refused, and the balance stays', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '1' });
    for (const amountNanoEuro of [9e15, Number.MAX_SAFE_INTEGER, -9e15 - 1_000_000_001]) {
      const adding = addCredits(deps, { accountId, amountNanoEuro });
      await expect(adding).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const { balanceNanoEuro, entries } = await showCredits(deps, { accountId });
    expect([balanceNanoEuro, entries.length]).toEqual([1_000_000_000, 1]);
  });
});

test("an account's ledger is not its organisation's", async () => {
  const deps = testAccounts(dynamo);
  const { accountId, organisationId } = await newTestAccount(deps, { credits: '2', subscription: true });
  await applyCharge(deps, {
    id: 'c',
    at: '2026-11-21T10:00:00.000Z',
    kind: 'decision',
    payer: { accountId },
    model: 'judge',
    amountNanoEuro: 1,
  });
  expect((await showCredits(deps, { organisationId: organisationId! })).entries).toEqual([]);
});
