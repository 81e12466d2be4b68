import type { StoreDeps } from './deps.ts';
import type { LedgerEntry } from './ledger.ts';
import { listAllEntries } from './list-entries.ts';
import { readBalance } from './read-credits.ts';

/**
 * The balance and every ledger entry, newest first. An organisation's balance is the sum of its entries: the work that
 * its subscription was metered for. Throws `not_found` for an unknown account.
 */
export async function showCredits(
  deps: StoreDeps,
  owner: { accountId: string } | { organisationId: string },
): Promise<{ balanceNanoEuro: number; entries: LedgerEntry[] }> {
  if ('accountId' in owner) {
    const balanceNanoEuro = await readBalance(deps, owner.accountId);
    return { balanceNanoEuro, entries: await listAllEntries(deps, owner) };
  }
  const entries = await listAllEntries(deps, owner);
  return { balanceNanoEuro: entries.reduce((sum, { amountNanoEuro }) => sum + amountNanoEuro, 0), entries };
}
