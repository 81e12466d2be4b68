import { DomainError } from '@errand/platform';
import type { AccountsDeps, StoreDeps, TimedStoreDeps } from './deps.ts';
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

/** The account's purse, after calls of dead processes were charged. Throws `not_found` for an unknown account. */
export async function readCredits(
  deps: TimedStoreDeps & Pick<AccountsDeps, 'log'>,
  accountId: string,
): Promise<Purse> {
  const owner = { key: itemKeys.balance(accountId), accountId };
  return mendPurse(deps, owner, await readAccountPurse(deps, accountId));
}

/** The same, when the charges are written too that this process has started. The ledger has all of them then. */
export async function readSettledCredits(deps: AccountsDeps, accountId: string): Promise<Purse> {
  await whenSettled(deps, accountId);
  return readCredits(deps, accountId);
}
