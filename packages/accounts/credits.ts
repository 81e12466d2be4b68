import { batchGet, createCombiner, DomainError, type Principal, perConnection } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { Payer } from './ledger.ts';
import { whenSettled } from './settle-in-background.ts';
import { itemKeys } from './store.ts';

export interface Credits {
  balanceNanoEuro: number;
  payer: Payer;
}

interface CreditsDeps extends StoreDeps {
  /** For tests that hold the clock. */
  wait?: (milliseconds: number) => Promise<void>;
}

interface Reading {
  deps: CreditsDeps;
  principal: Principal;
}

const largestGroup = 1_000;
const readerOf = perConnection(() => createCombiner(readForAll, largestGroup));

/**
 * The balance, and who pays: the organisation whose subscription covers the account, otherwise the account itself.
 * Throws `no_credits` if the account pays and has nothing left. Simultaneous requests of an account share one read,
 * which begins after the call and after this process has settled the account's earlier charges.
 */
export const requireCredits = (deps: CreditsDeps, principal: Principal): Promise<Credits> =>
  readerOf(deps)(`${principal.accountId} ${principal.organisationId ?? ''}`, { deps, principal });

async function readForAll(group: readonly Reading[]): Promise<Credits[]> {
  const [{ deps, principal }] = group as [Reading];
  const credits = await readCredits(deps, principal);
  return group.map(() => credits);
}

async function readCredits(deps: CreditsDeps, principal: Principal): Promise<Credits> {
  const { accountId, organisationId } = principal;
  await whenSettled(deps, accountId);
  const balanceKey = itemKeys.balance(accountId);
  const keys = organisationId ? [balanceKey, itemKeys.organisation(organisationId)] : [balanceKey];
  const items = await batchGet(deps, deps.tables.accounts, keys);
  const balance = items.find((item) => item.pk === balanceKey.pk)?.balanceNanoEuro;
  const balanceNanoEuro = typeof balance === 'number' ? balance : 0;
  if (organisationId && items.some((item) => item.subscription === true))
    return { balanceNanoEuro, payer: { accountId, organisationId } };
  if (balanceNanoEuro <= 0) throw new DomainError('no_credits');
  return { balanceNanoEuro, payer: { accountId } };
}
