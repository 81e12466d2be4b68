import { describeError, perConnection } from '@errand/platform';
import type { MoneyDeps, StoreDeps } from './deps.ts';
import { type Reservation, releaseReservation } from './purse/reservation.ts';

/** Charges that are being written, by account. */
const settlingOf = perConnection(() => new Map<string, Set<Promise<void>>>());

/**
 * Starts the work that ends in a charge of the account, so that an answer need not wait for it. Readers of the account's
 * credits and the end of the process or invocation wait for it through `whenSettled`. A failure of the work is logged.
 */
export function settleLater(
  deps: Pick<MoneyDeps, 'dynamodb' | 'log'>,
  accountId: string,
  work: () => Promise<unknown>,
): void {
  const all = settlingOf(deps);
  const ofAccount = all.get(accountId) ?? new Set();
  all.set(accountId, ofAccount);
  const settling = work()
    .catch((error: unknown) => deps.log.error('charge not made', { accountId, ...describeError(error) }))
    .then(() => {
      ofAccount.delete(settling);
      if (ofAccount.size === 0) all.delete(accountId);
    });
  ofAccount.add(settling);
}

/** Gives back, in the background, what was set aside for work that costs nothing. */
export const releaseLater = (
  deps: Pick<MoneyDeps, 'dynamodb' | 'tables' | 'log'>,
  accountId: string,
  reservation: Reservation | undefined,
): void => {
  if (reservation) settleLater(deps, accountId, () => releaseReservation(deps, reservation));
};

/** Resolves when the charges started so far are settled: those of the account, or all if no account is named. */
export async function whenSettled(deps: Pick<StoreDeps, 'dynamodb'>, accountId?: string): Promise<void> {
  const all = settlingOf(deps);
  if (all.size === 0) return;
  const awaited = accountId === undefined ? [...all.values()] : [all.get(accountId) ?? []];
  await Promise.all(awaited.flatMap((settling) => [...settling]));
}
