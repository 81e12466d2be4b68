import { describeError } from '@errand/platform';
import type { Payer } from '../charge.ts';
import type { MoneyDeps } from '../deps.ts';
import { itemKeys } from '../store.ts';
import { isOwnedBy } from './reservation.ts';
import { readStoredPurse, writeHoldChange } from './store.ts';

/**
 * Gives back what an owner that has ended for certain has left in the purses. A failure is logged: the holds end by
 * themselves.
 */
export async function releaseAbandoned(
  deps: Pick<MoneyDeps, 'dynamodb' | 'tables' | 'log'>,
  { accountId, organisationId }: Payer,
  owner: string,
): Promise<void> {
  const ceiling = organisationId === undefined ? [] : [itemKeys.ceiling(organisationId)];
  try {
    for (const key of [itemKeys.balance(accountId), ...ceiling]) {
      const { holds } = await readStoredPurse(deps, key);
      for (const [id, before] of holds)
        if (isOwnedBy(id, owner)) await writeHoldChange(deps, key, { id, before });
    }
  } catch (error) {
    deps.log.warn('reservations not released', { owner, ...describeError(error) });
  }
}
