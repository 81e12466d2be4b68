import { type Discrepancy, isDomainError } from '@errand/platform';
import type { Payer } from './charge.ts';
import type { StoreDeps } from './deps.ts';
import { formatEuro } from './euro.ts';
import { ledgerOf } from './ledger.ts';
import { driftOf, type Purse } from './purse/purse.ts';
import { readAccountPurse } from './read-credits.ts';
import { allAccountIds, itemKeys, type LedgerSums, readItem, sumLedger } from './store.ts';

const attempts = 5;

/** Yields each balance that is not the sum of its ledger: of one account, or of all. Only reads. */
export async function* checkBalances(deps: StoreDeps, accountId?: string): AsyncGenerator<Discrepancy> {
  const pages = accountId === undefined ? allAccountIds(deps) : [[accountId]];
  for await (const page of pages)
    for (const id of page) {
      const problem = await checkBalance(deps, id);
      if (problem !== undefined) yield { of: 'account', id, problem };
      const account = await readItem(deps, itemKeys.account(id));
      if (!account) yield { of: 'account', id, problem: 'The account has nothing but a balance.' };
    }
}

/**
 * The account may pay and be charged while its ledger is read. A balance that stays the same meanwhile must be the sum.
 * One that changes every time must have been the sum at some moment, so the sum lies between its values.
 */
async function checkBalance(deps: StoreDeps, accountId: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const before = (await purseOf(deps, accountId))?.balanceNanoEuro;
    const { amountNanoEuro: sum } = await sumLedger(deps, ledgerOf({ accountId }));
    const purse = await purseOf(deps, accountId);
    if (before === undefined || !purse) return 'The account has no balance.';
    const { balanceNanoEuro: after } = purse;
    const drift = driftOf(purse);
    const isSum = before === sum && after === sum;
    if (isSum && drift === 0) return undefined;
    if (!Number.isSafeInteger(sum)) return 'The ledger has an amount that is no number of nano-euro.';
    if (attempt < attempts) continue;
    if (isSum)
      return drift > 0
        ? `Of the credits, ${formatEuro(drift)} EUR are available that should not be.`
        : `Of the credits, ${formatEuro(-drift)} EUR are not available that should be.`;
    const within = before !== after && Math.min(before, after) <= sum && sum <= Math.max(before, after);
    return within
      ? undefined
      : `The balance is ${formatEuro(after)} EUR, the sum of the ledger is ${formatEuro(sum)} EUR.`;
  }
}

async function purseOf(deps: StoreDeps, accountId: string): Promise<Purse | undefined> {
  try {
    return await readAccountPurse(deps, accountId);
  } catch (error) {
    if (isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** What the ledger has of a run's charges. Amounts are positive, as the run's own. */
export async function sumChargesOfRun(deps: StoreDeps, payer: Payer, agentId: string): Promise<LedgerSums> {
  const sums = await sumLedger(deps, ledgerOf(payer), `${agentId}:`);
  return { ...sums, amountNanoEuro: -sums.amountNanoEuro };
}
