import { batchGet, createCombiner, DomainError, type Principal } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { Payer } from './ledger.ts';
import { perConnection } from './per-connection.ts';
import { whenSettled } from './settle-behind.ts';
import { itemKeys } from './store.ts';

export interface Credits {
  balanceNanoEuro: number;
  payer: Payer;
}

interface CreditsDeps extends StoreDeps {
  /** Replaced in tests that hold the time. */
  wait?: (milliseconds: number) => Promise<void>;
}

interface Reading {
  deps: CreditsDeps;
  principal: Principal;
}

const largestGroup = 1_000;
const readerOf = perConnection(() => createCombiner(readForAll, largestGroup));

/**
 * The balance, and who pays: the organisation whose subscription covers the account, or the account itself.
 * `no_credits` if it is the account's turn and nothing is left. Requests of an account that come at once share a
 * read, which is never older than the call, nor than what this process answered.
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
