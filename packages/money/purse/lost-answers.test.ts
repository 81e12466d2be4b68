import type { HttpRequest } from '@smithy/types';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anotherProcess, newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { applyCharge } from '../ledger.ts';
import { readAccountPurse, readCredits } from '../read-credits.ts';
import { letIntoPurse, reserve } from '../reserve.ts';
import { showCredits } from '../show-credits.ts';
import { chargeOf, costing, holdMilliseconds, windowOf } from '../test-support/calls.ts';
import { writeDraft } from './drafts.ts';
import { releaseReservation, renewReservation, splitReservation } from './reservation.ts';

let dynamo: TestDynamo;
/** Its writes arrive, and their first answers do not: the SDK sends them again. */
let deaf: ReturnType<typeof anotherProcess>;
let deps: ReturnType<typeof testAccounts>;
/** Answers that got lost in a test. */
let lost = 0;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(() => {
  deps = testAccounts(dynamo, { rateLimitRequests: 1 });
  deaf = anotherProcess(dynamo, deps);
  deaf.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      const { headers } = args.request as HttpRequest;
      const isFirst = headers['amz-sdk-request']?.startsWith('attempt=1;');
      if (isFirst && /Update|Transact|Put/.test(String(context.commandName))) {
        lost++;
        throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
      }
      return result;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'loseFirstAnswer' },
  );
});
afterEach(() => {
  deaf.close();
  expect(lost).toBeGreaterThan(0);
  lost = 0;
});

/** An account with 1,000 nano-euro that may make one request. */
const newAccount = () => newTestAccount(deps, { credits: '0.000001' });

const purseOf = async (accountId: string) => {
  const { balanceNanoEuro, availableNanoEuro, holds, windows } = await readAccountPurse(deps, accountId);
  const requests = [...windows.values()][0];
  return { balance: balanceNanoEuro, available: availableNanoEuro, holds: holds.size, requests };
};

describe('a write whose answer got lost', () => {
  test.each([1, 5])('lets a request in once, with a window of %i', async (limit) => {
    const account = await newAccount();
    const window = { ...windowOf(deps), limit };
    const { entered, result } = await letIntoPurse(deaf, account, costing(400), [window]);
    expect(entered.outcome.kind).toBe('in');
    expect(result).toMatchObject({ reservation: { nanoEuro: 400 } });
    expect(await purseOf(account.accountId)).toEqual({
      balance: 1_000,
      available: 600,
      holds: 1,
      requests: 1,
    });
  });

  test('renews a reservation, and sets more aside once', async () => {
    const account = await newAccount();
    const { reservation } = await reserve(deps, account, costing(400));
    deps.clock.advance(10_000);
    expect(await renewReservation(deaf, reservation!, 0)).toBe(true);
    expect(await renewReservation(deaf, reservation!, 100)).toBe(true);
    expect(reservation?.nanoEuro).toBe(500);
    deps.clock.advance(10_000);
    expect(await renewReservation(deps, reservation!, 0)).toBe(true);
    expect(await purseOf(account.accountId)).toMatchObject({ available: 500, holds: 1 });
  });

  test('charges once, and gives back once', async () => {
    const account = await newAccount();
    const credits = await reserve(deps, account, costing(400));
    await applyCharge(deaf, chargeOf(deps, 'one', credits, 100));
    expect(await purseOf(account.accountId)).toMatchObject({ balance: 900, available: 900, holds: 0 });
  });

  test('gives a reservation back once', async () => {
    const account = await newAccount();
    const { reservation } = await reserve(deps, account, costing(400));
    await releaseReservation(deaf, reservation);
    expect(await purseOf(account.accountId)).toMatchObject({ available: 1_000, holds: 0 });
  });

  test('splits a reservation once, and both parts are given back', async () => {
    const account = await newAccount();
    const { reservation } = await reserve(deps, account, costing(400));
    const part = await splitReservation(deaf, reservation!, 100);
    expect(await purseOf(account.accountId)).toMatchObject({ available: 600, holds: 2 });
    await releaseReservation(deps, part);
    await releaseReservation(deps, reservation);
    expect(await purseOf(account.accountId)).toMatchObject({ available: 1_000, holds: 0 });
  });

  test('ends the reservation of a dead process once', async () => {
    const account = await newAccount();
    const credits = await reserve(deps, account, costing(400));
    await writeDraft(deaf, credits.reservation!, chargeOf(deps, 'dead', credits, 30));
    deps.clock.advance(holdMilliseconds);
    await readCredits(deaf, account.accountId);
    expect(await purseOf(account.accountId)).toMatchObject({ balance: 970, available: 970, holds: 0 });
    expect((await showCredits(deps, account)).entries).toHaveLength(2);
  });
});
