import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { addCredits } from './add-credits.ts';
import { createAccount } from './create-account.ts';
import { requireCredits } from './credits.ts';
import { applyCharge } from './ledger.ts';
import { showCredits } from './show-credits.ts';
import { updateOrganisation } from './update-organisation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

describe('requireCredits', () => {
  test('an account with credits pays for itself; reading them takes one request', async () => {
    const deps = testAccounts(dynamo);
    const { accountId, keyId } = await newTestAccount(deps, { credits: '0.000000001' });
    const before = dynamo.requests();
    expect(await requireCredits(deps, { accountId, keyId })).toEqual({
      balanceNanoEuro: 1,
      payer: { accountId },
    });
    expect(dynamo.requests() - before).toBe(1);
  });

  test.each(['0', '-0.5'])('an account with %s EUR is refused', async (credits) => {
    const deps = testAccounts(dynamo);
    const { accountId, keyId } = await newTestAccount(deps, { credits });
    await expect(requireCredits(deps, { accountId, keyId })).rejects.toMatchObject({ code: 'no_credits' });
  });

  test("a subscription pays, whatever the account's balance", async () => {
    const deps = testAccounts(dynamo);
    for (const credits of ['-1', '0', '3']) {
      const principal = await newTestAccount(deps, { credits, subscription: true });
      const { accountId, organisationId } = principal;
      const before = dynamo.requests();
      expect((await requireCredits(deps, principal)).payer).toEqual({ accountId, organisationId });
      expect(dynamo.requests() - before).toBe(1);
    }
  });

  test('an organisation without a subscription pays nothing; a subscription that starts or ends takes effect at once', async () => {
    const deps = testAccounts(dynamo);
    const principal = await newTestAccount(deps, { credits: '0', subscription: false });
    const { accountId } = principal;
    const organisationId = principal.organisationId!;
    await expect(requireCredits(deps, principal)).rejects.toMatchObject({ code: 'no_credits' });
    await updateOrganisation(deps, { organisationId, subscription: true });
    expect((await requireCredits(deps, principal)).payer).toEqual({ accountId, organisationId });
    await updateOrganisation(deps, { organisationId, subscription: false });
    await addCredits(deps, { accountId, amountNanoEuro: 1 });
    expect((await requireCredits(deps, principal)).payer).toEqual({ accountId });
  });

  test('keys that DynamoDB left unread are requested again', async () => {
    const mock = mockClient(DynamoDBDocumentClient);
    onTestFinished(() => mock.restore());
    const organisation = { pk: 'ORGANISATION#o', sk: 'ORGANISATION', subscription: true };
    const rest = { Accounts: { Keys: [{ pk: organisation.pk, sk: organisation.sk }] } };
    const balance = { pk: 'ACCOUNT#a', sk: 'BALANCE', balanceNanoEuro: -5 };
    mock
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { Accounts: [balance] }, UnprocessedKeys: rest })
      .resolvesOnce({ Responses: { Accounts: [organisation] } });
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    const principal = { keyId: 'k', accountId: 'a', organisationId: 'o' };
    const credits = await requireCredits({ ...testAccounts(dynamo), wait }, principal);
    expect(credits).toEqual({ balanceNanoEuro: -5, payer: { accountId: 'a', organisationId: 'o' } });
    expect(mock.commandCalls(BatchGetCommand)[1]?.args[0].input.RequestItems).toEqual(rest);
    expect(waits).toHaveLength(1);
  });

  test('keys that stay unread are an error, not an empty balance', async () => {
    const mock = mockClient(DynamoDBDocumentClient);
    onTestFinished(() => mock.restore());
    const rest = { Accounts: { Keys: [{ pk: 'ACCOUNT#a', sk: 'BALANCE' }] } };
    mock.on(BatchGetCommand).resolves({ Responses: {}, UnprocessedKeys: rest });
    const deps = { ...testAccounts(dynamo), wait: async () => {} };
    await expect(requireCredits(deps, { keyId: 'k', accountId: 'a' })).rejects.toThrow('left keys unread');
  });
});

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
