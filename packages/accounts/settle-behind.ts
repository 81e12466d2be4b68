import type { StoreDeps } from './deps.ts';
import type { Charge } from './ledger.ts';
import { perConnection } from './per-connection.ts';
import { type SettleDeps, settleCharge } from './settle-charge.ts';

/** By the account, while there are any. */
const settlingOf = perConnection(() => new Map<string, Set<Promise<void>>>());

/**
 * As `settleCharge`, behind an answer that does not wait for it. What reads the account's credits does, and so does
 * the end of the process or invocation: see `whenSettled`.
 */
export function settleBehind(deps: SettleDeps, charge: Charge): void {
  const all = settlingOf(deps);
  const { accountId } = charge.payer;
  const ofAccount = all.get(accountId) ?? new Set();
  all.set(accountId, ofAccount);
  const settling = settleCharge(deps, charge).then(() => {
    ofAccount.delete(settling);
    if (ofAccount.size === 0) all.delete(accountId);
  });
  ofAccount.add(settling);
}

/** When all charges are settled that were left behind so far: the account's, or everybody's. */
export async function whenSettled(deps: Pick<StoreDeps, 'dynamodb'>, accountId?: string): Promise<void> {
  const all = settlingOf(deps);
  if (all.size === 0) return;
  const asked = accountId === undefined ? [...all.values()] : [all.get(accountId) ?? []];
  await Promise.all(asked.flatMap((settling) => [...settling]));
}
