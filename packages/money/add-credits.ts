import { ConditionsFailed, fieldIssue, type NamedWrite, newId, toIso, transact } from '@errand/platform';
import type { TimedStoreDeps } from './deps.ts';
import { entryWrite, type LedgerEntry } from './ledger.ts';
import type { LastCredit } from './purse/purse.ts';
import { readBalance } from './read-credits.ts';
import { boundedBalanceWrite, itemKeys } from './store.ts';

/** The largest balance, 9 million EUR: charges that follow keep the balance a safe integer. */
const maxBalanceNanoEuro = 9e15;

const pastBalance = () => fieldIssue('amount', `takes the balance past ${maxBalanceNanoEuro / 1e9} EUR`);

/**
 * Adds the amount to the balance and writes a ledger entry; a negative amount is taken away. Throws `not_found` for
 * an unknown account, and `invalid_request` if the balance would pass its bounds.
 */
export async function addCredits(
  deps: TimedStoreDeps,
  input: { accountId: string; amountNanoEuro: number },
): Promise<{ accountId: string; balanceNanoEuro: number }> {
  const { accountId, amountNanoEuro } = input;
  const entry = creditEntry(accountId, toIso(deps.clock()), amountNanoEuro);
  try {
    await transact(deps, [
      entryWrite(deps, { accountId }, entry),
      boundedBalanceWrite(deps, accountId, entry, maxBalanceNanoEuro),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    await readBalance(deps, accountId);
    throw pastBalance();
  }
  return { accountId, balanceNanoEuro: await readBalance(deps, accountId) };
}

/**
 * The writes of a new account's purse and of the ledger entry of its first credits. Throws `invalid_request` for credits past
 * the largest balance.
 */
export function openingWrites(
  deps: TimedStoreDeps,
  { accountId, at, creditsNanoEuro }: { accountId: string; at: string; creditsNanoEuro: number },
): NamedWrite[] {
  if (Math.abs(creditsNanoEuro) > maxBalanceNanoEuro) throw pastBalance();
  const credit = creditEntry(accountId, at, creditsNanoEuro);
  const lastCredit = { id: credit.id, nanoEuro: creditsNanoEuro } satisfies LastCredit;
  const Item = {
    ...itemKeys.balance(accountId),
    balanceNanoEuro: creditsNanoEuro,
    ...(creditsNanoEuro > 0 && { lastCredit }),
  };
  const purse: NamedWrite = { Put: { TableName: deps.tables.accounts, Item } };
  return creditsNanoEuro === 0 ? [purse] : [purse, entryWrite(deps, { accountId }, credit)];
}

const creditEntry = (accountId: string, at: string, amountNanoEuro: number): LedgerEntry => ({
  id: newId('credit'),
  at,
  kind: 'credit',
  accountId,
  amountNanoEuro,
});
