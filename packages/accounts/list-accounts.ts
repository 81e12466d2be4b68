import { readBalances, type StoreDeps } from '@errand/money';
import { scanOwners } from './store.ts';

interface StoredAccount {
  accountId: string;
  name: string;
  organisationId?: string;
  createdAt: string;
  /** Present while the account is frozen. */
  frozenAt?: string;
}

interface AccountListing extends StoredAccount {
  balanceNanoEuro: number;
}

/** The most keys of a batch of reads. */
const accountsPerRead = 100;

/** Every account with its balance, oldest first. */
export async function listAccounts(deps: StoreDeps): Promise<AccountListing[]> {
  const accounts: AccountListing[] = [];
  for await (const page of scanOwners<StoredAccount>(deps, 'account'))
    for (let at = 0; at < page.length; at += accountsPerRead)
      accounts.push(...(await withBalances(deps, page.slice(at, at + accountsPerRead))));
  return accounts.sort((a, b) =>
    `${a.createdAt} ${a.accountId}` < `${b.createdAt} ${b.accountId}` ? -1 : 1,
  );
}

async function withBalances(deps: StoreDeps, accounts: readonly StoredAccount[]): Promise<AccountListing[]> {
  const balances = await readBalances(
    deps,
    accounts.map(({ accountId }) => accountId),
  );
  return accounts.map(({ accountId, name, organisationId, createdAt, frozenAt }) => ({
    accountId,
    name,
    organisationId,
    createdAt,
    frozenAt,
    balanceNanoEuro: balances.get(accountId) ?? 0,
  }));
}
