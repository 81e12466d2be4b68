import { ConditionsFailed, describeError, limits, toSeconds, transact } from '@errand/platform';
import type { AccountsDeps } from '../deps.ts';
import { type Charge, chargeWrites, draftId } from '../ledger.ts';
import type { ItemKey } from '../store.ts';
import { readDrafts } from './drafts.ts';
import { driftOf, type Hold, type Purse } from './purse.ts';
import type { Reservation } from './reservation.ts';
import { readStoredPurse, writeDrift, writeHoldChange } from './store.ts';

type MendDeps = Pick<AccountsDeps, 'dynamodb' | 'tables' | 'clock' | 'log'>;

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

async function endHolds(
  deps: MendDeps,
  { key, accountId }: { key: ItemKey; accountId?: string },
  ended: readonly [string, Hold][],
): Promise<void> {
  for (let at = 0; at < ended.length; at += draftsAtOnce) {
    const some = ended.slice(at, at + draftsAtOnce);
    const ids = some.map(([id]) => id);
    const drafts =
      accountId === undefined ? new Map<string, Charge>() : await readDrafts(deps, accountId, ids);
    for (const [id, hold] of some) {
      const draft = drafts.get(id);
      if (draft) await chargeDraft(deps, chargeOfDraft(draft, { key, id, hold }));
      else await writeHoldChange(deps, key, { id, before: hold });
      deps.log.warn('reservation ended', {
        ...nameOf({ key, ...(accountId && { accountId }) }),
        reservation: id,
      });
    }
  }
}

/** Not charged if the call's process, which was only slow, has charged the call or kept the reservation meanwhile. */
async function chargeDraft(deps: MendDeps, charge: Charge): Promise<void> {
  try {
    await transact(deps, chargeWrites(deps, [charge]));
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
  }
}

/** The most keys that one read takes. */
const draftsAtOnce = 100;

/** The draft as a charge that ends this hold. Other purses end theirs by themselves. */
function chargeOfDraft(draft: Charge, { key, id, hold }: { key: ItemKey; id: string; hold: Hold }): Charge {
  const parts = (draft.reservation?.parts ?? []).map((part) =>
    part.key.pk === key.pk ? { ...part, hold } : { ...part, isGone: true },
  );
  const reservation: Reservation = { id, nanoEuro: draft.reservation?.nanoEuro ?? 0, parts };
  return { ...draft, id: draftId(draft.id), brokenOff: true, reservation };
}
