import { delay, describeError, type LogFields } from '@errand/platform';
import type { MoneyDeps, StoreDeps } from '../deps.ts';
import { formatEuro } from '../euro.ts';
import { canEnd, type Reservation, renewReservation } from './reservation.ts';
import { readStoredPurse } from './store.ts';

type CoverDeps = Pick<MoneyDeps, 'dynamodb' | 'tables' | 'clock' | 'log'>;

/** What is charged of a price. */
export interface Covered {
  amountNanoEuro: number;
  /** The rest of the price, for which there was no money. */
  writtenOffNanoEuro?: number;
}

/** The bounds of what may be charged, and what the log says of a price that is written off. */
export type CoverAbout = LogFields & {
  mostNanoEuro?: number | undefined;
  /** How far a balance, budget or ceiling may fall below zero. */
  overrunNanoEuro?: number | undefined;
};

/** A store that hangs must not hold up the charge. */
const longestMilliseconds = 1_000;

/** Another charge may have taken the money that was there a moment ago. */
const attempts = 3;

/**
 * Sets the rest aside for work that costs more than its reservation. What credits, budget or ceiling do not have beside
 * `overrunNanoEuro`, and what is more than `mostNanoEuro`, is written off, and logged. While the store fails, and after
 * a reservation has ended by itself, nothing more can be set aside.
 */
export async function coverPrice(
  deps: CoverDeps,
  reservation: Reservation | undefined,
  priceNanoEuro: number,
  { mostNanoEuro = Number.POSITIVE_INFINITY, overrunNanoEuro = 0, ...about }: CoverAbout,
): Promise<Covered> {
  const due = Math.min(priceNanoEuro, mostNanoEuro);
  const paid = reservation ? await payable(deps, reservation, due) : due;
  const amountNanoEuro = Math.min(due, paid + overrunNanoEuro);
  const writtenOffNanoEuro = priceNanoEuro - amountNanoEuro;
  if (writtenOffNanoEuro <= 0) return { amountNanoEuro };
  const amount = formatEuro(writtenOffNanoEuro);
  deps.log.warn('price written off', {
    ...about,
    ...(reservation && { reservation: reservation.id }),
    amount,
  });
  return { amountNanoEuro, writtenOffNanoEuro };
}

/** How much of an amount the reservation pays for after it has grown as far as it can. */
async function payable(deps: CoverDeps, reservation: Reservation, due: number): Promise<number> {
  if (due <= reservation.nanoEuro || !canEnd(reservation)) return due;
  const givingUp = { hasGivenUp: false };
  try {
    await Promise.race([setAsideUpTo(deps, reservation, due, givingUp), delay(longestMilliseconds)]);
  } catch (error) {
    deps.log.warn('reservation not extended', { reservation: reservation.id, ...describeError(error) });
  } finally {
    givingUp.hasGivenUp = true;
  }
  return Math.min(due, reservation.nanoEuro);
}

/** Sets this much aside in all, or as much as there is. */
async function setAsideUpTo(
  deps: CoverDeps,
  reservation: Reservation,
  nanoEuro: number,
  waiting: { hasGivenUp: boolean },
): Promise<void> {
  let more = nanoEuro - reservation.nanoEuro;
  for (let attempt = 1; attempt <= attempts && more > 0 && !waiting.hasGivenUp; attempt++) {
    if (await renewReservation(deps, reservation, more)) return;
    more = Math.min(more, await roomOf(deps, reservation));
  }
}

/** The amount that all purses of a reservation have at this moment. */
export async function roomOf(deps: StoreDeps, { parts }: Pick<Reservation, 'parts'>): Promise<number> {
  const rooms = parts.map(async ({ key, hold, fromBalance, budgetLimit }) => {
    const { availableNanoEuro, budgets } = await readStoredPurse(deps, key);
    const left = hold.budget ? (budgetLimit ?? 0) - (budgets.get(hold.budget.name) ?? 0) : Infinity;
    return Math.min(fromBalance ? availableNanoEuro : Infinity, left);
  });
  return Math.min(...(await Promise.all(rooms)));
}
