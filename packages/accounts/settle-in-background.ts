import { perConnection } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { Charge } from './ledger.ts';
import { type SettleDeps, settleCharge } from './settle-charge.ts';

/** Charges that are being written, by account. */
const settlingOf = perConnection(() => new Map<string, Set<Promise<void>>>());

/**
 * Starts `settleCharge` and returns, so that an answer need not wait for its charge. Readers of the account's credits
 * and the end of the process or invocation wait for it through `whenSettled`.
 */
export function settleInBackground(deps: SettleDeps, charge: Charge): void {
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

/** Resolves when the charges started so far are settled: those of the account, or all if no account is named. */
export async function whenSettled(deps: Pick<StoreDeps, 'dynamodb'>, accountId?: string): Promise<void> {
  const all = settlingOf(deps);
  if (all.size === 0) return;
  const awaited = accountId === undefined ? [...all.values()] : [all.get(accountId) ?? []];
  await Promise.all(awaited.flatMap((settling) => [...settling]));
}
