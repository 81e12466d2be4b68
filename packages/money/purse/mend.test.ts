import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createLog, type LogFields } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anotherProcess, newTestAccount, testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { addCredits } from '../add-credits.ts';
import { checkBalances } from '../check-balances.ts';
import { applyCharge } from '../ledger.ts';
import { readAccountPurse, readCredits } from '../read-credits.ts';
import { reserve } from '../reserve.ts';
import { settleCharge } from '../settle-charge.ts';
import { showCredits } from '../show-credits.ts';
import { itemKeys } from '../store.ts';
import { chargeOf, costing, holdMilliseconds } from '../test-support/calls.ts';
import { writeDraft } from './drafts.ts';
import { releaseReservation, renewReservation } from './reservation.ts';

let dynamo: TestDynamo;
let log: LogFields[];
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(() => {
  log = [];
});

/** An account with 1,000 nano-euro. */
async function open() {
  const deps = { ...testAccounts(dynamo), log: createLog((line) => void log.push(JSON.parse(line))) };
  const account = await newTestAccount(deps, { credits: '0.000001' });
  const { accountId } = account;
  const charges = async () => {
    const { entries } = await showCredits(deps, { accountId });
    return entries
      .filter(({ kind }) => kind !== 'credit')
      .map(({ id, amountNanoEuro }) => [id, -amountNanoEuro]);
  };
  const purse = async () => {
    const { balanceNanoEuro, availableNanoEuro, holds } = await readAccountPurse(deps, accountId);
    return { balance: balanceNanoEuro, available: availableNanoEuro, holds: holds.size };
  };
  const agrees = async () => {
    const found = [];
    for await (const problem of checkBalances(deps, accountId)) found.push(problem);
    expect(found).toEqual([]);
  };
  return { deps, account, accountId, charges, purse, agrees };
}

describe('the reservation of a call whose process died', () => {
  test('stays while its process may still renew it, and is available again at the next look at the purse', async () => {
    const { deps, account, purse, accountId } = await open();
    await reserve(deps, account, costing(400));
    deps.clock.advance(holdMilliseconds - 1_000);
    expect(await readCredits(deps, accountId)).toMatchObject({ availableNanoEuro: 600 });
    deps.clock.advance(1_000);
    expect(await readCredits(deps, accountId)).toMatchObject({ availableNanoEuro: 1_000 });
    expect(await purse()).toEqual({ balance: 1_000, available: 1_000, holds: 0 });
    expect(log.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'reservations ended', accountId },
    ]);
  });

  test('pays for the next request that needs it, and for one that does not', async () => {
    const { deps, account } = await open();
    await reserve(deps, account, costing(1_000));
    deps.clock.advance(holdMilliseconds);
    const { reservation } = await reserve(deps, account, costing(900, 900));
    expect(reservation?.nanoEuro).toBe(900);
    deps.clock.advance(holdMilliseconds);
    await reserve(deps, account, costing(10));
    expect((await readAccountPurse(deps, account.accountId)).holds.size).toBe(1);
  });

  test('is kept for another minute by each renewal', async () => {
    const { deps, account, purse, accountId } = await open();
    const { reservation } = await reserve(deps, account, costing(400));
    for (let i = 0; i < 4; i++) {
      deps.clock.advance(50_000);
      expect(await renewReservation(deps, reservation!, 0)).toBe(true);
    }
    await readCredits(deps, accountId);
    expect(await purse()).toEqual({ balance: 1_000, available: 600, holds: 1 });
  });
});

describe('what is known of a call whose process died', () => {
  test('is charged once, the rest is available again, and the books agree', async () => {
    const { deps, account, accountId, charges, purse, agrees } = await open();
    const credits = await reserve(deps, account, costing(400));
    await writeDraft(deps, credits.reservation!, chargeOf(deps, 'one', credits, 130));
    await renewReservation(deps, credits.reservation!, 0);
    deps.clock.advance(holdMilliseconds);
    for (let i = 0; i < 3; i++) await readCredits(deps, accountId);
    expect(await charges()).toEqual([['one:draft', 130]]);
    expect(await purse()).toEqual({ balance: 870, available: 870, holds: 0 });
    await agrees();
    expect((await showCredits(deps, { accountId })).entries[0]).toMatchObject({ brokenOff: true });
  });

  test('is charged once by processes that notice at the same time', async () => {
    const { deps, account, accountId, charges, purse } = await open();
    const others = [1, 2, 3].map(() => anotherProcess(dynamo, deps));
    const all = [];
    for (let i = 0; i < 5; i++) {
      const credits = await reserve(deps, account, costing(100));
      await writeDraft(deps, credits.reservation!, chargeOf(deps, `call-${i}`, credits, 10 + i));
      all.push(credits);
    }
    await reserve(deps, account, costing(100));
    deps.clock.advance(holdMilliseconds);
    await Promise.all([deps, ...others].map((process) => readCredits(process, accountId)));
    expect((await charges()).toSorted()).toEqual(all.map((_, i) => [`call-${i}:draft`, 10 + i]));
    expect(await purse()).toEqual({ balance: 940, available: 940, holds: 0 });
    for (const other of others) other.close();
  });

  test('is subtracted from the charge of a process that was only slow', async () => {
    const { deps, account, accountId, charges, purse, agrees } = await open();
    const credits = await reserve(deps, account, costing(400));
    await writeDraft(deps, credits.reservation!, chargeOf(deps, 'slow', credits, 130));
    deps.clock.advance(holdMilliseconds);
    await readCredits(deps, accountId);
    const charge = chargeOf(deps, 'slow', credits, 300);
    for (let i = 0; i < 2; i++) await applyCharge(deps, charge);
    expect((await charges()).toSorted()).toEqual([
      ['slow', 170],
      ['slow:draft', 130],
    ]);
    expect(await purse()).toEqual({ balance: 700, available: 700, holds: 0 });
    await agrees();
  });

  test('is followed by no more than what is there then', async () => {
    const { deps, account, accountId, charges, purse, agrees } = await open();
    const settling = { ...deps, deferCharge: async () => {} };
    const ended = [];
    for (const id of ['unknown', 'noticed']) {
      const credits = await reserve(deps, account, costing(400));
      await writeDraft(deps, credits.reservation!, chargeOf(deps, id, credits, 130));
      ended.push(credits);
    }
    deps.clock.advance(holdMilliseconds);
    await readCredits(deps, accountId);
    expect(await renewReservation(deps, ended[1]!.reservation!, 0)).toBe(false);
    const others = await reserve(deps, account, costing(700));
    await settleCharge(settling, chargeOf(deps, 'others', others, 690));
    await settleCharge(settling, chargeOf(deps, 'unknown', ended[0]!, 160));
    await settleCharge(settling, chargeOf(deps, 'noticed', ended[1]!, 400));
    expect((await charges()).toSorted()).toEqual([
      ['noticed', 20],
      ['noticed:draft', 130],
      ['others', 690],
      ['unknown', 30],
      ['unknown:draft', 130],
    ]);
    expect(await purse()).toEqual({ balance: 0, available: 0, holds: 0 });
    const { entries } = await showCredits(deps, { accountId });
    expect(entries.find(({ id }) => id === 'noticed')?.writtenOffNanoEuro).toBe(250);
    await agrees();
  });

  test('is subtracted also where the slow process has noticed that its reservation ended', async () => {
    const { deps, account, accountId, charges, purse } = await open();
    const settling = { ...deps, deferCharge: async () => {} };
    const slow = [];
    for (const id of ['slow-1', 'slow-2']) {
      const credits = await reserve(deps, account, costing(400));
      await writeDraft(deps, credits.reservation!, chargeOf(deps, id, credits, 130));
      slow.push({ id, credits });
    }
    deps.clock.advance(holdMilliseconds);
    await readCredits(deps, accountId);
    for (const { credits } of slow) expect(await renewReservation(deps, credits.reservation!, 0)).toBe(false);
    await Promise.all(
      slow.map(({ id, credits }) => settleCharge(settling, chargeOf(deps, id, credits, 300))),
    );
    expect((await charges()).toSorted()).toEqual([
      ['slow-1', 170],
      ['slow-1:draft', 130],
      ['slow-2', 170],
      ['slow-2:draft', 130],
    ]);
    expect(await purse()).toEqual({ balance: 400, available: 400, holds: 0 });
  });

  test('is not charged a second time when the charge itself is written at the same moment', async () => {
    const { deps, account, accountId, charges, purse } = await open();
    const other = anotherProcess(dynamo, deps);
    for (let i = 0; i < 10; i++) {
      const credits = await reserve(deps, account, costing(50));
      await writeDraft(deps, credits.reservation!, chargeOf(deps, `call-${i}`, credits, 1));
      deps.clock.advance(holdMilliseconds);
      await Promise.all([
        applyCharge(deps, chargeOf(deps, `call-${i}`, credits, 4)),
        readCredits(other, accountId),
      ]);
    }
    const sum = (await charges()).reduce((all, [, amount]) => all + Number(amount), 0);
    expect(sum).toBe(40);
    expect(await purse()).toEqual({ balance: 960, available: 960, holds: 0 });
    other.close();
  });
});

test('a reservation that was given back, or charged, is given back no second time', async () => {
  const { deps, account, accountId, purse } = await open();
  const one = await reserve(deps, account, costing(400));
  const copy = structuredClone(one.reservation);
  await releaseReservation(deps, one.reservation);
  await releaseReservation(deps, copy);
  const other = await reserve(deps, account, costing(400));
  const kept = structuredClone(other.reservation);
  await applyCharge(deps, chargeOf(deps, 'other', other, 100));
  await releaseReservation(deps, kept);
  deps.clock.advance(holdMilliseconds);
  await readCredits(deps, accountId);
  expect(await purse()).toEqual({ balance: 900, available: 900, holds: 0 });
});

describe('an earlier release at work beside this one', () => {
  /** It knows the balance alone. */
  async function chargeAsBefore(accountId: string, id: string, amountNanoEuro: number) {
    const { tables, dynamodb } = dynamo;
    const ledger = `LEDGER#${accountId}`;
    const at = '2026-11-21T10:00:00.000Z';
    const entry = { kind: 'completion', accountId, model: 'writer', amountNanoEuro: -amountNanoEuro };
    await dynamodb.send(
      new PutCommand({ TableName: tables.accounts, Item: { pk: ledger, sk: id, ledger, at, ...entry } }),
    );
    await dynamodb.send(
      new UpdateCommand({
        TableName: tables.accounts,
        Key: itemKeys.balance(accountId),
        UpdateExpression: 'ADD balanceNanoEuro :amount',
        ExpressionAttributeValues: { ':amount': -amountNanoEuro },
      }),
    );
  }

  test('has what it charged taken from what is available with the next request', async () => {
    const { deps, account, accountId, purse, agrees } = await open();
    await reserve(deps, account, costing(100));
    await chargeAsBefore(accountId, 'before-1', 300);
    await reserve(deps, account, costing(100));
    expect(await purse()).toEqual({ balance: 700, available: 500, holds: 2 });
    expect(log).toContainEqual(
      expect.objectContaining({ message: 'available credits corrected', nanoEuro: -300 }),
    );
    await agrees();
  });

  test('has what it added taken into account by a request that needs it', async () => {
    const { deps, account, accountId, purse } = await open();
    await reserve(deps, account, costing(1_000));
    await chargeAsBefore(accountId, 'top-up', -500);
    const { reservation } = await reserve(deps, account, costing(400, 400));
    expect(reservation?.nanoEuro).toBe(400);
    expect(await purse()).toEqual({ balance: 1_500, available: 100, holds: 2 });
  });

  test('is corrected once by processes that notice at the same time, also while credits are added', async () => {
    const { deps, account, accountId, purse, agrees } = await open();
    const others = [1, 2, 3].map(() => anotherProcess(dynamo, deps));
    await reserve(deps, account, costing(100));
    await chargeAsBefore(accountId, 'before-2', 300);
    await Promise.all([
      ...[deps, ...others].map((process) => readCredits(process, accountId)),
      addCredits(deps, { accountId, amountNanoEuro: 50 }),
    ]);
    await readCredits(deps, accountId);
    expect(await purse()).toEqual({ balance: 750, available: 650, holds: 1 });
    await agrees();
    for (const other of others) other.close();
  });
});
