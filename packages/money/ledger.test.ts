import { ConditionsFailed, silentLog, toIso, transact } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import type { Charge, Payer } from './charge.ts';
import { applyCharge, chargeWrites, type LedgerOwner } from './ledger.ts';
import { listEntries } from './list-entries.ts';
import { settleCharge } from './settle-charge.ts';
import { showCredits } from './show-credits.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const charge = (
  payer: Payer,
  id: string,
  amountNanoEuro: number,
  at = '2026-11-21T10:00:01.000Z',
): Charge => ({
  id,
  at,
  kind: 'completion',
  payer,
  model: 'writer',
  runId: 'run-1',
  inputTokens: 100,
  cachedInputTokens: 40,
  outputTokens: 7,
  amountNanoEuro,
});

describe('a charge', () => {
  test('lowers the balance and writes an entry with what it was for', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '5' });
    await applyCharge(deps, charge({ accountId }, 'run-1/1', 12_690_000));
    const credits = await showCredits(deps, { accountId });
    expect(credits.balanceNanoEuro).toBe(4_987_310_000);
    expect(credits.entries[0]).toEqual({
      id: 'run-1/1',
      at: '2026-11-21T10:00:01.000Z',
      kind: 'completion',
      accountId,
      model: 'writer',
      runId: 'run-1',
      inputTokens: 100,
      cachedInputTokens: 40,
      outputTokens: 7,
      amountNanoEuro: -12_690_000,
    });
  });

  test('that is written again, at once or later, is made once', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '5' });
    const twice = charge({ accountId }, 'run-1/1', 1_000_000_000);
    await Promise.all(Array.from({ length: 10 }, () => applyCharge(deps, twice)));
    await applyCharge(deps, twice);
    const { balanceNanoEuro, entries } = await showCredits(deps, { accountId });
    expect(balanceNanoEuro).toBe(4_000_000_000);
    expect(entries).toHaveLength(2);
  });

  test('may take the balance below zero', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '0.5' });
    await applyCharge(deps, charge({ accountId }, 'run-1/1', 700_000_000));
    expect((await showCredits(deps, { accountId })).balanceNanoEuro).toBe(-200_000_000);
  });

  test('of zero euros writes an entry', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '1' });
    await applyCharge(deps, charge({ accountId }, 'run-1/1', 0));
    const { balanceNanoEuro, entries } = await showCredits(deps, { accountId });
    expect(balanceNanoEuro).toBe(1_000_000_000);
    expect(entries[0]).toMatchObject({ id: 'run-1/1', amountNanoEuro: 0 });
  });

  test('under a subscription is an entry of the organisation alone', async () => {
    const deps = testAccounts(dynamo);
    const { accountId, organisationId } = await newTestAccount(deps, { credits: '1', subscription: true });
    const payer = { accountId, organisationId: organisationId! };
    await applyCharge(deps, charge(payer, 'run-1/1', 300));
    await applyCharge(deps, charge(payer, 'run-1/1', 300));
    await applyCharge(deps, charge(payer, 'run-1/2', 500));
    expect(await showCredits(deps, { accountId })).toMatchObject({ balanceNanoEuro: 1_000_000_000 });
    const metered = await showCredits(deps, { organisationId: organisationId! });
    expect(metered.balanceNanoEuro).toBe(-800);
    expect(metered.entries.map(({ id }) => id).sort()).toEqual(['run-1/1', 'run-1/2']);
    expect(metered.entries[0]?.accountId).toBe(accountId);
  });
});

test('a hundred charges at once to one account sum exactly', async () => {
  const deps = testAccounts(dynamo);
  const { accountId } = await newTestAccount(deps, { credits: '10' });
  const charges = Array.from({ length: 100 }, (_, i) =>
    charge({ accountId }, `run/${i}`, 1_000_003 * (i + 1)),
  );
  await Promise.all(charges.map((one) => applyCharge(deps, one)));
  const spent = charges.reduce((sum, { amountNanoEuro }) => sum + amountNanoEuro, 0);
  const { balanceNanoEuro, entries } = await showCredits(deps, { accountId });
  expect(balanceNanoEuro).toBe(10_000_000_000 - spent);
  expect(entries).toHaveLength(101);
  expect(entries.reduce((sum, { amountNanoEuro }) => sum + amountNanoEuro, 0)).toBe(balanceNanoEuro);
});

describe('charges in one transaction', () => {
  test('update the balance once', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '1' });
    const writes = chargeWrites(deps, [
      charge({ accountId }, 'a', 100),
      charge({ accountId }, 'b', 20),
      charge({ accountId, organisationId: 'organisation_1' }, 'c', 3),
    ]);
    expect(writes.map(({ condition }) => condition)).toEqual([
      'charge-new:a',
      'charge-new:b',
      'charge-new:c',
      undefined,
    ]);
    await transact(deps, writes);
    expect((await showCredits(deps, { accountId })).balanceNanoEuro).toBe(1_000_000_000 - 120);
  });

  test('are not made if one of them was made before, and the error names that one', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '1' });
    await applyCharge(deps, charge({ accountId }, 'a', 100));
    const both = [charge({ accountId }, 'a', 100), charge({ accountId }, 'b', 20)];
    const failure = await transact(deps, chargeWrites(deps, both)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConditionsFailed);
    expect((failure as ConditionsFailed).conditions).toEqual(['charge-new:a']);
    const { balanceNanoEuro, entries } = await showCredits(deps, { accountId });
    expect(balanceNanoEuro).toBe(1_000_000_000 - 100);
    expect(entries.map(({ id }) => id)).not.toContain('b');
  });

  test('with the same id are made once, and the other charges need no second attempt', async () => {
    const log: unknown[] = [];
    const deps = {
      ...testAccounts(dynamo),
      log: { ...silentLog, warn: (...line: unknown[]) => void log.push(line) },
      deferCharge: () => Promise.reject(new Error('the ledger did not take a charge')),
    };
    const { accountId } = await newTestAccount(deps, { credits: '1' });
    // The first is written alone. Those that come meanwhile share a transaction.
    const charges = ['a', 'b', 'b', 'c'].map((id) => charge({ accountId }, id, 100));
    await Promise.all(charges.map((each) => settleCharge(deps, each)));
    expect((await showCredits(deps, { accountId })).balanceNanoEuro).toBe(1_000_000_000 - 300);
    expect(log).toEqual([]);
  });

  test('write nothing if there are none', () => {
    expect(chargeWrites(testAccounts(dynamo), [])).toEqual([]);
  });
});

describe('the ledger', () => {
  async function readPages(owner: LedgerOwner, limit: number) {
    const deps = testAccounts(dynamo);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await listEntries(deps, owner, { limit, cursor: cursor || undefined });
      pages.push(page.entries.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor);
    return pages;
  }

  test('is listed newest first, page by page', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '0' });
    const start = deps.clock();
    for (const i of [3, 1, 5, 2, 4])
      await applyCharge(deps, charge({ accountId }, `c${i}`, i, toIso(start + i * 1000)));
    const pages = await readPages({ accountId }, 2);
    expect(pages.flat()).toEqual(['c5', 'c4', 'c3', 'c2', 'c1']);
    expect(pages.every((page) => page.length <= 2)).toBe(true);
  });

  test('neither loses nor repeats entries of the same instant', async () => {
    const deps = testAccounts(dynamo);
    const { accountId } = await newTestAccount(deps, { credits: '0' });
    const ids = Array.from({ length: 23 }, (_, i) => `c${i}`);
    await Promise.all(ids.map((id) => applyCharge(deps, charge({ accountId }, id, 1))));
    for (const limit of [1, 2, 7, 23, 24]) {
      const listed = (await readPages({ accountId }, limit)).flat();
      expect(listed.sort()).toEqual([...ids].sort());
    }
  });

  test('of another account cannot be read with a cursor of this one', async () => {
    const deps = testAccounts(dynamo);
    const mine = await newTestAccount(deps, { credits: '0' });
    const other = await newTestAccount(deps, { credits: '0' });
    for (const id of ['a', 'b']) await applyCharge(deps, charge({ accountId: mine.accountId }, id, 1));
    const { cursor } = await listEntries(deps, mine, { limit: 1 });
    const page = await listEntries(deps, { accountId: other.accountId }, { limit: 10, cursor: cursor! });
    expect(page.entries).toEqual([]);
  });

  test.each(['', 'x', '%%%', 'e30', Buffer.from('["at"]').toString('base64url'), 'bnVsbA'])(
    'refuses %j as a cursor',
    async (cursor) => {
      const listing = listEntries(testAccounts(dynamo), { accountId: 'account_1' }, { limit: 1, cursor });
      await expect(listing).rejects.toMatchObject({
        code: 'invalid_request',
        details: { issues: [{ field: 'cursor', problem: 'is not a cursor' }] },
      });
    },
  );
});
