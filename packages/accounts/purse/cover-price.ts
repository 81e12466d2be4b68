import { delay, describeError, type LogFields } from '@errand/platform';
import type { AccountsDeps } from '../deps.ts';
import { formatEuro } from '../money.ts';
import { canEnd, type Reservation, renewReservation } from './reservation.ts';
import { readStoredPurse } from './store.ts';

type CoverDeps = Pick<AccountsDeps, 'dynamodb' | 'tables' | 'clock' | 'log'>;

/** What is charged of a price. */
export interface Covered {
  amountNanoEuro: number;
  /** The rest of the price, which nothing was there to pay for. */
  writtenOffNanoEuro?: number;
}

/** A store that hangs must not hold up the charge. */
const longestMilliseconds = 1_000;

/**
 * Sets the rest aside for work that its provider billed higher than its reservation. What credits, budget or ceiling do not
 * have is written off, and logged: no balance falls below zero by it. While the store fails, and after a reservation has
 * ended by itself, all of the price is charged.
 */
export async function coverPrice(
  deps: CoverDeps,
  reservation: Reservation | undefined,
  priceNanoEuro: number,
  about: LogFields,
): Promise<Covered> {
  const whole = { amountNanoEuro: priceNanoEuro };
  if (!reservation || priceNanoEuro <= reservation.nanoEuro || !canEnd(reservation)) return whole;
  try {
    await Promise.race([setAsideUpTo(deps, reservation, priceNanoEuro), delay(longestMilliseconds)]);
  } catch (error) {
    deps.log.warn('reservation not extended', { reservation: reservation.id, ...describeError(error) });
    return whole;
  }
  const writtenOffNanoEuro = priceNanoEuro - reservation.nanoEuro;
  if (writtenOffNanoEuro <= 0 || reservation.parts.some(({ isGone }) => isGone)) return whole;
  deps.log.warn('price written off', {
    ...about,
    reservation: reservation.id,
    amount: formatEuro(writtenOffNanoEuro),
  });
  return { amountNanoEuro: reservation.nanoEuro, writtenOffNanoEuro };
}

/** Sets so much aside in all, or as much as there is. */
async function setAsideUpTo(deps: CoverDeps, reservation: Reservation, nanoEuro: number): Promise<void> {
  const more = nanoEuro - reservation.nanoEuro;
  if (await renewReservation(deps, reservation, more)) return;
  const rooms = await Promise.all(
    reservation.parts.map(async ({ key, hold, fromBalance, budgetLimit }) => {
      const { availableNanoEuro, budgets } = await readStoredPurse(deps, key);
      const left = hold.budget ? (budgetLimit ?? 0) - (budgets.get(hold.budget.name) ?? 0) : Infinity;
      return Math.min(fromBalance ? availableNanoEuro : Infinity, left);
    }),
  );
  const room = Math.min(more, ...rooms);
  if (room > 0) await renewReservation(deps, reservation, room);
}
