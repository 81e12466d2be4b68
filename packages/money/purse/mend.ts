import { ConditionsFailed, describeError, limits, toSeconds, transact } from '@errand/platform';
import type { Charge } from '../charge.ts';
import type { MoneyDeps } from '../deps.ts';
import { chargeWrites, draftId } from '../ledger.ts';
import type { ItemKey } from '../store.ts';
import { readDrafts } from './drafts.ts';
import { driftOf, type Hold, type Purse } from './purse.ts';
import type { Reservation } from './reservation.ts';
import { readStoredPurse, writeDrift } from './store.ts';

type MendDeps = Pick<MoneyDeps, 'dynamodb' | 'tables' | 'clock' | 'log'>;

/** Whether the purse has holds that nobody renewed, or says that more or less is available than there is. */
const needsMending = (deps: Pick<MendDeps, 'clock'>, purse: Purse): boolean =>
  driftOf(purse) !== 0 || endedHolds(deps, purse).length > 0;

function endedHolds({ clock }: Pick<MendDeps, 'clock'>, { holds }: Purse): [string, Hold][] {
  const nowSeconds = toSeconds(clock() - limits.clockSkewMilliseconds);
  return [...holds].filter(([, { untilSeconds }]) => untilSeconds < nowSeconds);
}

/**
 * Ends the holds of calls whose process died: what is known of each call is charged, the rest is available again. Then
 * corrects what an earlier release has left wrong. Several processes may do so at once. Returns the purse as it is now.
 */
export async function mendPurse(
  deps: MendDeps,
  owner: { key: ItemKey; accountId?: string },
  found: Purse,
): Promise<Purse> {
  if (!needsMending(deps, found)) return found;
  try {
    await endHolds(deps, owner, endedHolds(deps, found));
    const purse = await readStoredPurse(deps, owner.key);
    const drift = driftOf(purse);
    if (drift === 0) return purse;
    deps.log.warn('available credits corrected', { ...nameOf(owner), nanoEuro: -drift });
    return (await writeDrift(deps, owner.key, purse, drift)).purse;
  } catch (error) {
    deps.log.warn('purse not mended', { ...nameOf(owner), ...describeError(error) });
    return found;
  }
}

const nameOf = ({ key, accountId }: { key: ItemKey; accountId?: string }) =>
  accountId === undefined ? { purse: key.pk } : { accountId };

type Ended = readonly [string, Hold];

async function endHolds(
  deps: MendDeps,
  { key, accountId }: { key: ItemKey; accountId?: string },
  ended: readonly Ended[],
): Promise<void> {
  for (let at = 0; at < ended.length; at += holdsAtOnce) {
    const some = ended.slice(at, at + holdsAtOnce);
    const ids = some.map(([id]) => id);
    const drafts =
      accountId === undefined ? new Map<string, Charge>() : await readDrafts(deps, accountId, ids);
    await endTogether(deps, { key, drafts }, some);
    const owner = nameOf({ key, accountId });
    const chargedNanoEuro = [...drafts.values()].reduce((sum, draft) => sum + draft.amountNanoEuro, 0);
    const counts = { reservations: some.length, drafts: drafts.size, chargedNanoEuro };
    deps.log.warn('reservations ended', { ...owner, ...counts });
  }
}

/** A ledger entry each, and the purses. */
const holdsAtOnce = limits.transactionItems - 2;

/**
 * Charges the drafts and gives the rest back, in one transaction. Where a call's process, which was only slow, has charged its
 * call or kept its reservation meanwhile, each hold is ended for itself, and that one is not.
 */
async function endTogether(
  deps: MendDeps,
  place: { key: ItemKey; drafts: ReadonlyMap<string, Charge> },
  some: readonly Ended[],
): Promise<void> {
  const { key, drafts } = place;
  const charges = some.flatMap(([id, hold]) => {
    const draft = drafts.get(id);
    return draft ? [chargeOfDraft(draft, { key, id, hold })] : [];
  });
  const released = some
    .filter(([id]) => !drafts.has(id))
    .map(([id, hold]) => ({ id, nanoEuro: 0, parts: [{ key, fromBalance: true, hold }] }));
  try {
    await transact(deps, chargeWrites(deps, charges, released));
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    if (some.length > 1) for (const one of some) await endTogether(deps, place, [one]);
  }
}

/** The draft as a charge that ends this hold, of no more than was set aside. Other purses end theirs by themselves. */
function chargeOfDraft(draft: Charge, { key, id, hold }: { key: ItemKey; id: string; hold: Hold }): Charge {
  const parts = (draft.reservation?.parts ?? []).map((part) =>
    part.key.pk === key.pk ? { ...part, hold } : { ...part, isGone: true },
  );
  const { nanoEuro = 0 } = draft.reservation ?? {};
  const amountNanoEuro = Math.min(draft.amountNanoEuro, nanoEuro);
  const reservation: Reservation = { id, nanoEuro, parts };
  return { ...draft, id: draftId(draft.id), amountNanoEuro, brokenOff: true, reservation };
}
