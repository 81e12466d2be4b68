import { ConditionsFailed, DomainError, type NamedWrite, newId, toIso, transact } from '@errand/platform';
import type { StoreDeps, TimedStoreDeps } from './deps.ts';
import { balanceWrite, entryWrite, type LedgerEntry } from './ledger.ts';
import { readBalance } from './store.ts';

/** Keeps a balance far enough within a safe integer for every charge that may follow: 9 million EUR. */
const maxBalanceNanoEuro = 9e15;

/**
 * Adds to the balance, or takes away with a negative amount, and says so in the ledger. `not_found`;
 * `invalid_request` for an amount that takes the balance past what can be counted.
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
      boundedBalanceWrite(deps, accountId, amountNanoEuro),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    await readBalance(deps, accountId);
    const problem = `takes the balance past ${maxBalanceNanoEuro / 1e9} EUR`;
    throw new DomainError('invalid_request', { issues: [{ field: 'amount', problem }] });
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

function boundedBalanceWrite(deps: StoreDeps, accountId: string, amountNanoEuro: number): NamedWrite {
  const { Update } = balanceWrite(deps, accountId, amountNanoEuro);
  return {
    condition: 'balance-within-bounds',
    Update: {
      ...Update!,
      ConditionExpression: 'balanceNanoEuro BETWEEN :lowest AND :highest',
      ExpressionAttributeValues: {
        ...Update!.ExpressionAttributeValues,
        ':lowest': -maxBalanceNanoEuro - Math.min(0, amountNanoEuro),
        ':highest': maxBalanceNanoEuro - Math.max(0, amountNanoEuro),
      },
    },
  };
}
