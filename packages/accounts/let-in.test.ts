import {
  addCredits,
  type CostBound,
  nothingYet,
  readAccountPurse,
  releaseReservation,
  reserve,
} from '@errand/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { letIn } from './let-in.ts';
import { updateOrganisation } from './update-organisation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

/** Work that costs at most this much, of which the input is a part that must be there. */
const costing = (mostNanoEuro: number, inputNanoEuro = 0): CostBound => ({
  mostNanoEuro,
  within: async (there) => (there < inputNanoEuro ? undefined : Math.min(there, mostNanoEuro)),
});

const noCredits = { code: 'no_credits' };

describe('a request that is let in', () => {
  test('is counted, and its highest cost is set aside, in one write', async () => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits: '1' });
    const before = dynamo.requests();
    const { window, credits } = await letIn(deps, account, costing(400));
    expect(dynamo.requests() - before).toBe(1);
    expect(window).toMatchObject({ remaining: deps.rateLimitRequests - 1, exceeded: false });
    expect(credits).toMatchObject({
      payer: { accountId: account.accountId },
      balanceNanoEuro: 1_000_000_000,
      reservation: { nanoEuro: 400 },
    });
    expect(await readAccountPurse(deps, account.accountId)).toMatchObject({
      balanceNanoEuro: 1_000_000_000,
      availableNanoEuro: 999_999_600,
    });
  });

  test('reserves all that is left if that is less; the next request is refused until that is given back', async () => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits: '0.0000001' });
    const { credits } = await letIn(deps, account, costing(400));
    expect(credits?.reservation?.nanoEuro).toBe(100);
    expect((await letIn(deps, account, costing(1))).refusal).toMatchObject(noCredits);
    await releaseReservation(deps, credits?.reservation);
    expect((await letIn(deps, account, costing(1))).credits?.reservation?.nanoEuro).toBe(1);
  });

  test('is refused if it cannot pay for its input, and nothing is set aside', async () => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits: '0.0000001' });
    const { refusal, window } = await letIn(deps, account, costing(400, 101));
    expect([refusal?.code, window.remaining]).toEqual(['no_credits', deps.rateLimitRequests - 1]);
    expect(await readAccountPurse(deps, account.accountId)).toMatchObject({ availableNanoEuro: 100 });
  });

  test('sets nothing aside if it costs nothing', async () => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits: '1' });
    expect((await letIn(deps, account, nothingYet)).credits).not.toHaveProperty('reservation');
    expect((await readAccountPurse(deps, account.accountId)).holds.size).toBe(0);
  });
});

test.each(['0', '-0.5'])(
  'an account with %s EUR is refused, also work that costs nothing',
  async (credits) => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits });
    for (const bound of [nothingYet, costing(1)]) {
      expect((await letIn(deps, account, bound)).refusal).toMatchObject(noCredits);
      await expect(reserve(deps, account, bound)).rejects.toMatchObject(noCredits);
    }
  },
);

test.each([undefined, true])(
  'work that costs nothing so far is let in if the account has credits (subscription: %s)',
  async (subscription) => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits: '1', subscription: subscription || undefined });
    expect(await reserve(deps, account, nothingYet)).not.toHaveProperty('reservation');
  },
);

describe('an account of an organisation', () => {
  test('is paid for by the subscription, whatever its balance, at the price of one more read', async () => {
    const deps = testAccounts(dynamo);
    for (const credits of ['-1', '0', '3']) {
      const account = await newTestAccount(deps, { credits, subscription: true });
      const { accountId, organisationId } = account;
      const before = dynamo.requests();
      const letInto = await letIn(deps, account, costing(400));
      expect(letInto.credits?.payer).toEqual({ accountId, organisationId });
      expect(dynamo.requests() - before).toBe(2);
      const { balanceNanoEuro, availableNanoEuro } = await readAccountPurse(deps, accountId);
      expect(availableNanoEuro).toBe(balanceNanoEuro);
    }
  });

  test('pays for itself without a subscription; a subscription that starts or ends takes effect at once', async () => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits: '0', subscription: false });
    const { accountId } = account;
    const organisationId = account.organisationId!;
    await expect(reserve(deps, account, costing(1))).rejects.toMatchObject(noCredits);
    await updateOrganisation(deps, { organisationId, subscription: true });
    expect((await reserve(deps, account, costing(1))).payer).toEqual({ accountId, organisationId });
    await updateOrganisation(deps, { organisationId, subscription: false });
    await addCredits(deps, { accountId, amountNanoEuro: 1 });
    expect((await reserve(deps, account, costing(1))).payer).toEqual({ accountId });
  });
});

test.each([Number.MAX_SAFE_INTEGER, 1e30, Number.POSITIVE_INFINITY])(
  'work that may cost more than any balance (%d) reserves all credits of the account',
  async (mostNanoEuro) => {
    const deps = testAccounts(dynamo);
    const account = await newTestAccount(deps, { credits: '1' });
    expect((await letIn(deps, account, costing(mostNanoEuro))).credits?.reservation?.nanoEuro).toBe(
      1_000_000_000,
    );
  },
);
