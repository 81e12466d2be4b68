import { batchGet, DomainError } from '@errand/platform';
import type { MoneyDeps, StoreDeps, TimedStoreDeps } from './deps.ts';
import { mendPurse } from './purse/mend.ts';
import { type Purse, readPurse } from './purse/purse.ts';
import { whenSettled } from './settle-in-background.ts';
import { itemKeys, readItem } from './store.ts';

/** The account's purse as it is. Throws `not_found` for an unknown account. */
export async function readAccountPurse(deps: StoreDeps, accountId: string): Promise<Purse> {
  const item = await readItem(deps, itemKeys.balance(accountId));
  if (!item) throw new DomainError('not_found');
  return readPurse(item);
}

/** The account's balance in nano-euro. Throws `not_found` for an unknown account. */
export const readBalance = async (deps: StoreDeps, accountId: string): Promise<number> =>
  (await readAccountPurse(deps, accountId)).balanceNanoEuro;

/** The balances of some accounts in nano-euro, as many as a batch of reads may have. An unknown account has none. */
export async function readBalances(
  deps: StoreDeps,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const keys = accountIds.map(itemKeys.balance);
  const items = await batchGet<{ pk: string; balanceNanoEuro: number }>(deps, deps.tables.accounts, keys);
  const idOf = new Map(accountIds.map((accountId) => [itemKeys.balance(accountId).pk, accountId]));
  return new Map(items.map(({ pk, balanceNanoEuro }) => [idOf.get(pk)!, balanceNanoEuro]));
}

/** The account's purse, after calls of dead processes were charged. Throws `not_found` for an unknown account. */
export async function readCredits(
  deps: TimedStoreDeps & Pick<MoneyDeps, 'log'>,
  accountId: string,
): Promise<Purse> {
  const owner = { key: itemKeys.balance(accountId), accountId };
  return mendPurse(deps, owner, await readAccountPurse(deps, accountId));
}

/**
 * The same purse, read after all charges that this process has started are written. The ledger then has all of
 * them.
 */
export async function readSettledCredits(deps: MoneyDeps, accountId: string): Promise<Purse> {
  await whenSettled(deps, accountId);
  return readCredits(deps, accountId);
}
