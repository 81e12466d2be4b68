import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Charge, showCredits } from '@errand/accounts';
import { silentLog, toIso } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { keepCharge, startWritingKept } from './kept-charges.ts';

let dynamo: TestDynamo;
let dataDir: string;

beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-kept-charges-'));
  return () => rm(dataDir, { recursive: true });
});

const chargeOf = (accountId: string, id: string): Charge => ({
  id,
  at: toIso(Date.now()),
  kind: 'completion',
  payer: { accountId },
  model: 'writer',
  inputTokens: 10,
  outputTokens: 1,
  amountNanoEuro: 1_000_000_000,
});

async function newAccount() {
  const deps = { ...testAccounts(dynamo), log: silentLog };
  const { accountId } = await newTestAccount(deps, { credits: '5' });
  return {
    deps,
    accountId,
    spent: async () => 5e9 - (await showCredits(deps, { accountId })).balanceNanoEuro,
  };
}

test('a charge that is kept is written at the next start, once, however often it was kept', async () => {
  const { deps, accountId, spent } = await newAccount();
  for (const id of ['chat_1', 'chat_2', 'chat_1']) await keepCharge(dataDir, chargeOf(accountId, id));
  for (let i = 0; i < 2; i++) await (await startWritingKept(dataDir, deps)).stop();
  expect(await spent()).toBe(2e9);
  await keepCharge(dataDir, chargeOf(accountId, 'chat_2'));
  await (await startWritingKept(dataDir, deps)).stop();
  expect([await spent(), await readdir(path.join(dataDir, 'charges'))]).toEqual([2e9, []]);
});

test('one that comes while the service runs is written within seconds, when the store answers again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { deps, accountId, spent } = await newAccount();
  const send = vi.spyOn(deps.dynamodb, 'send');
  const writing = await startWritingKept(dataDir, deps);
  await keepCharge(dataDir, chargeOf(accountId, 'chat_3'));
  send.mockRejectedValue(new Error('away'));
  vi.advanceTimersByTime(5_000);
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  send.mockRestore();
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  await writing.stop();
  expect(await spent()).toBe(1e9);
});
