import { ConditionsFailed, DomainError, type NamedWrite, newId, toIso, transact } from '@errand/platform';
import type { StoreDeps, TimedStoreDeps } from './deps.ts';
import { balanceWrite, entryWrite, type LedgerEntry } from './ledger.ts';
import { readBalance } from './store.ts';

/** Keeps a balance far enough within a safe integer for every charge that may follow: 9 million EUR. */
const maxBalanceNanoEuro = 9e15;

const pastBalance = (): DomainError => {
  const problem = `takes the balance past ${maxBalanceNanoEuro / 1e9} EUR`;
  return new DomainError('invalid_request', { issues: [{ field: 'amount', problem }] });
};

/** `invalid_request` for an amount that no balance may begin with. */
export function checkFirstBalance(amountNanoEuro: number): void {
  if (Math.abs(amountNanoEuro) > maxBalanceNanoEuro) throw pastBalance();
}

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

/** Bounded on the side to which it goes: what leads back from beyond is always possible. */
function boundedBalanceWrite(deps: StoreDeps, accountId: string, amountNanoEuro: number): NamedWrite {
  const { Update } = balanceWrite(deps, accountId, amountNanoEuro);
  return {
    condition: 'balance-within-bounds',
    Update: {
      ...Update,
      ConditionExpression: amountNanoEuro < 0 ? 'balanceNanoEuro >= :bound' : 'balanceNanoEuro <= :bound',
      ExpressionAttributeValues: {
        ...Update.ExpressionAttributeValues,
        ':bound': Math.sign(amountNanoEuro) * maxBalanceNanoEuro - amountNanoEuro,
      },
    },
  };
}
