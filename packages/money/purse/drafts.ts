import { batchGet, deleteItem, limits, putItem, toSeconds } from '@errand/platform';
import type { Charge } from '../charge.ts';
import type { StoreDeps, TimedStoreDeps } from '../deps.ts';
import { itemKeys } from '../store.ts';
import type { Reservation } from './reservation.ts';

/** Notes what is known of a call in work. It is charged only if the reservation ends by itself. */
export async function writeDraft(deps: TimedStoreDeps, { id }: Reservation, charge: Charge): Promise<void> {
  await putItem(deps, {
    TableName: deps.tables.accounts,
    Item: {
      ...itemKeys.draft(charge.payer.accountId, id),
      charge,
      expiresAtSeconds: toSeconds(deps.clock()) + limits.draftKeptSeconds,
    },
  });
}

/**
 * Deletes the draft of a call that is charged. Never throws: a draft that stays is charged to nobody, and expires.
 */
export async function deleteDraft(
  deps: StoreDeps,
  { id }: Pick<Reservation, 'id'>,
  { payer }: Charge,
): Promise<void> {
  const Key = itemKeys.draft(payer.accountId, id);
  await deleteItem(deps, { TableName: deps.tables.accounts, Key }).catch(() => {});
}

/** The drafts of these reservations, by their ids. Most have none. */
export async function readDrafts(
  deps: StoreDeps,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, Charge>> {
  const keys = ids.map((id) => itemKeys.draft(accountId, id));
  const items = await batchGet<{ sk: string; charge: Charge }>(deps, deps.tables.accounts, keys);
  const prefix = itemKeys.draft(accountId, '').sk;
  return new Map(items.map(({ sk, charge }) => [sk.slice(prefix.length), charge]));
}
