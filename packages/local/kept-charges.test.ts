import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Charge, showCredits } from '@errand/money';
import { createLog, silentLog, toIso } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { createChargeKeeper, startWritingKept } from './kept-charges.ts';

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

async function keepCharge(folder: string, charge: Charge): Promise<void> {
  const keeper = createChargeKeeper(folder, silentLog);
  await keeper.keep(charge);
  await keeper.stop();
}

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
  expect([await spent(), await readdir(path.join(dataDir, 'charges'))]).toEqual([2e9, ['reserve']]);
});

test('a charge kept while the service runs is written within seconds after the store answers again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { deps, accountId, spent } = await newAccount();
  const send = vi.spyOn(deps.dynamodb, 'send');
  const writing = await startWritingKept(dataDir, deps);
  await keepCharge(dataDir, chargeOf(accountId, 'chat_3'));
  send.mockRejectedValue(new Error('away'));
  vi.advanceTimersByTime(5_000);
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce(), 60_000);
  send.mockRestore();
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  await writing.stop();
  expect(await spent()).toBe(1e9);
});

test('a charge without room on the disk is held in memory until there is room, or until the service stops', async () => {
  const { deps, accountId, spent } = await newAccount();
  // A folder cannot be made where a file is, just as on a full disk.
  const charges = path.join(dataDir, 'charges');
  await writeFile(charges, '');
  const lines: string[] = [];
  const keeper = createChargeKeeper(
    dataDir,
    createLog((line) => lines.push(line)),
  );
  await keeper.keep(chargeOf(accountId, 'chat_4'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'charge not kept', charge: 'chat_4' },
  ]);
  await rm(charges);
  await keeper.stop();
  await (await startWritingKept(dataDir, deps)).stop();
  expect(await spent()).toBe(1e9);
});
