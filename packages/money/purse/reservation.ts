import { describeError, limits, randomText, toSeconds } from '@errand/platform';
import type { MoneyDeps, StoreDeps, TimedStoreDeps } from '../deps.ts';
import type { ItemKey } from '../store.ts';
import { type Hold, writeHold } from './purse.ts';
import { readStoredPurse, writeHoldChange, writeSplit } from './store.ts';

/** What is set aside for a call, as this process last wrote it. Plain data: a charge takes it along to the queue. */
export interface Reservation {
  /** The id of the holds; each purse has one hold. */
  id: string;
  /** What the call may cost at most, or what the payer had if that was less. */
  nanoEuro: number;
  /** The account's purse, and its organisation's purse if the organisation has a ceiling. */
  parts: ReservedPart[];
}

export interface ReservedPart {
  key: ItemKey;
  /** True if the amount was taken from the balance in this purse, false if from a budget alone. */
  fromBalance: boolean;
  hold: Hold;
  budgetLimit?: number;
  /** The hold has ended, and gave back what it took. */
  isGone?: boolean;
}

/**
 * True if the credits, a budget or a ceiling can run out: a subscription without budget and ceiling pays whatever a
 * call costs.
 */
export const canEnd = ({ parts }: Reservation): boolean =>
  parts.some(({ fromBalance, budgetLimit }) => fromBalance || budgetLimit !== undefined);

/** Seconds since the epoch at which a hold that is written now ends. */
export const holdEnd = (nowMilliseconds: number): number =>
  toSeconds(nowMilliseconds) + limits.reservationSeconds;

/**
 * Keeps the reservation for another `limits.reservationSeconds`, with `moreNanoEuro` set aside. False if there is not as much, or if the
 * reservation has ended by itself before.
 */
export async function renewReservation(
  deps: TimedStoreDeps,
  reservation: Reservation,
  moreNanoEuro: number,
): Promise<boolean> {
  if (reservation.parts.some(({ isGone }) => isGone)) return false;
  const untilSeconds = holdEnd(deps.clock());
  const grown: ReservedPart[] = [];
  for (const part of reservation.parts) {
    const { key, hold: before, budgetLimit } = part;
    const after = { ...grow(part, moreNanoEuro), untilSeconds };
    const { done, purse } = await writeHoldChange(deps, key, {
      id: reservation.id,
      before,
      after,
      budgetLimit,
    });
    const found = purse.holds.get(reservation.id);
    if (!found) part.isGone = true;
    // The SDK sends a write again if its answer got lost. The second one is refused, though the hold is as it was written.
    if (!done && (!found || writeHold(found) !== writeHold(after))) {
      await shrink(deps, reservation, grown, moreNanoEuro);
      return false;
    }
    part.hold = after;
    grown.push(part);
  }
  reservation.nanoEuro += moreNanoEuro;
  return true;
}

/** Undoes the growth of the parts that grew before another part had no room. */
async function shrink(
  deps: StoreDeps,
  { id }: Reservation,
  parts: readonly ReservedPart[],
  by: number,
): Promise<void> {
  for (const part of parts) {
    const after = grow(part, -by);
    const { done } = await writeHoldChange(deps, part.key, { id, before: part.hold, after });
    if (done) part.hold = after;
  }
}

const grow = ({ hold, fromBalance }: ReservedPart, more: number): Hold => ({
  ...hold,
  nanoEuro: hold.nanoEuro + (fromBalance ? more : 0),
  ...(hold.budget && { budget: { ...hold.budget, nanoEuro: hold.budget.nanoEuro + more } }),
});

/** An id of some 70 random bits: two holds of a purse never share an id. */
const idCharacters = 12;
/** With an owner, an id has so many characters of it, and as many random ones. */
const ownerCharacters = 8;

/** With an owner, the owner's holds can be found by it. */
export const newReservationId = (owner?: string): string =>
  owner === undefined
    ? randomText(idCharacters)
    : owner.slice(0, ownerCharacters) + randomText(ownerCharacters);

export const isOwnedBy = (id: string, owner: string): boolean =>
  id.startsWith(owner.slice(0, ownerCharacters));

/**
 * Splits an amount off a reservation, as a reservation of its own. Undefined if the reservation has ended by
 * itself, or was renewed by another process.
 */
export async function splitReservation(
  deps: StoreDeps,
  reservation: Reservation,
  nanoEuro: number,
): Promise<Reservation | undefined> {
  const id = newReservationId();
  const parts: ReservedPart[] = [];
  for (const part of reservation.parts) {
    const { key, hold: before } = part;
    const after = grow(part, -nanoEuro);
    const hold: Hold = {
      untilSeconds: before.untilSeconds,
      nanoEuro: before.nanoEuro - after.nanoEuro,
      budget: before.budget && { name: before.budget.name, nanoEuro },
    };
    const split = { id: reservation.id, before, after, other: { id, hold } };
    const { done, purse } = await writeSplit(deps, key, split);
    // The write succeeded if its hold is there: the id is new, and its first answer may have got lost.
    if (!done && !purse.holds.has(id)) return undefined;
    part.hold = after;
    parts.push({ ...part, hold });
  }
  reservation.nanoEuro -= nanoEuro;
  return { id, nanoEuro, parts };
}

/** The reservation with its holds as they are in the store. */
export async function readReservation(deps: StoreDeps, reservation: Reservation): Promise<Reservation> {
  const readPart = async (part: ReservedPart): Promise<ReservedPart> => {
    const { holds } = await readStoredPurse(deps, part.key);
    const hold = holds.get(reservation.id);
    return hold ? { ...part, hold } : { ...part, isGone: true };
  };
  return { ...reservation, parts: await Promise.all(reservation.parts.map(readPart)) };
}

/** Gives back what is set aside, for a call that costs nothing. A failure is logged: the reservation ends by itself. */
export async function releaseReservation(
  deps: Pick<MoneyDeps, 'dynamodb' | 'tables' | 'log'>,
  reservation: Reservation | undefined,
): Promise<void> {
  if (!reservation) return;
  try {
    for (const part of reservation.parts) {
      if (part.isGone) continue;
      part.isGone = true;
      await writeHoldChange(deps, part.key, { id: reservation.id, before: part.hold });
    }
  } catch (error) {
    deps.log.warn('reservation not released', { reservation: reservation.id, ...describeError(error) });
  }
}
