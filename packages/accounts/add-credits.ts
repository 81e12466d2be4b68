import { ConditionsFailed, fieldIssue, newId, toIso, transact } from '@errand/platform';
import type { TimedStoreDeps } from './deps.ts';
import { entryWrite, type LedgerEntry } from './ledger.ts';
import { readBalance } from './read-credits.ts';
import { boundedBalanceWrite } from './writes.ts';

/** The largest balance, 9 million EUR: charges that follow keep the balance a safe integer. */
const maxBalanceNanoEuro = 9e15;

const pastBalance = () => fieldIssue('amount', `takes the balance past ${maxBalanceNanoEuro / 1e9} EUR`);

/** Throws `invalid_request` if a new account's credits are past the largest balance. */
export function checkFirstBalance(amountNanoEuro: number): void {
  if (Math.abs(amountNanoEuro) > maxBalanceNanoEuro) throw pastBalance();
}

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

export const creditEntry = (accountId: string, at: string, amountNanoEuro: number): LedgerEntry => ({
  id: newId('credit'),
  at,
  kind: 'credit',
  accountId,
  amountNanoEuro,
});
