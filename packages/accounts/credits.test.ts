import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { addCredits } from './add-credits.ts';
import { createAccount } from './create-account.ts';
import { applyCharge } from './ledger.ts';
import { showCredits } from './show-credits.ts';
import { updateOrganisation } from './update-organisation.ts';

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

describe('accounts and organisations', () => {
  test('an account of an unknown organisation is not created', async () => {
    const deps = testAccounts(dynamo);
    const creating = createAccount(deps, {
      name: 'A',
      creditsNanoEuro: 0,
      organisationId: 'organisation_none',
    });
    await expect(creating).rejects.toMatchObject({ code: 'not_found' });
  });

  test('an unknown organisation cannot be updated or shown', async () => {
    const deps = testAccounts(dynamo);
    const organisationId = 'organisation_none';
    const updating = updateOrganisation(deps, { organisationId, subscription: true });
    await expect(updating).rejects.toMatchObject({ code: 'not_found' });
    await expect(showCredits(deps, { organisationId })).rejects.toMatchObject({ code: 'not_found' });
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
});
