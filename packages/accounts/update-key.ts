import { readItem, type TimedStoreDeps } from '@errand/money';
import {
  type BudgetPeriod,
  ConditionsFailed,
  DomainError,
  type KeyLimits,
  transact,
  withChanges,
} from '@errand/platform';
import { keyCacheOf, keyReadsOf } from './key-cache.ts';
import { type KeyListing, toListing } from './list-keys.ts';
import { itemKeys } from './store.ts';
import { limitsWrite } from './writes.ts';

/** The limits that change. `null` removes a limit; an absent limit stays. */
export type KeyChanges = {
  [Limit in Exclude<keyof KeyLimits, 'budget'>]?: NonNullable<KeyLimits[Limit]> | null;
} & {
  /** A budget without a period keeps its present period; a new budget without a period is for all time. */
  budget?: { amountNanoEuro: number; period?: BudgetPeriod } | null;
};

/** The limits after the changes, without those that are taken away. */
export function changeLimits(before: KeyLimits, { budget, ...changes }: KeyChanges): KeyLimits {
  const period = before.budget?.period ?? 'total';
  const changed = withChanges<KeyChanges>(before, {
    ...changes,
    budget: budget && { ...budget, period: budget.period ?? period },
  });
  return Object.fromEntries(Object.entries(changed).filter(([, limit]) => limit !== null));
}

/**
 * Changes the key's limits. This process holds to them at once, others within `limits.keyCacheMilliseconds`. Throws
 * `not_found` for an unknown key.
 */
export async function updateKey(
  deps: TimedStoreDeps,
  keyId: string,
  changes: KeyChanges,
): Promise<KeyListing> {
  const place = await readItem<{ hash: string; accountId: string }>(deps, itemKeys.keyId(keyId));
  if (!place) throw new DomainError('not_found');
  for (;;) {
    const key = await readItem<KeyListing>(deps, itemKeys.key(place.hash));
    if (!key) throw new DomainError('not_found');
    const { limits: before, ...rest } = toListing(key);
    const changed = changeLimits(before ?? {}, changes);
    const after = Object.keys(changed).length > 0 ? changed : undefined;
    try {
      await transact(deps, [
        limitsWrite(deps, itemKeys.key(place.hash), after, { before }),
        limitsWrite(deps, itemKeys.accountKey(place.accountId, keyId), after),
      ]);
    } catch (error) {
      // The key was changed since it was read.
      if (error instanceof ConditionsFailed) continue;
      throw error;
    }
    keyCacheOf(deps).delete(place.hash);
    keyReadsOf(deps).delete(keyId);
    return { ...rest, limits: after };
  }
}
