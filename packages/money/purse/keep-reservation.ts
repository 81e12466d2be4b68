import { createTurns, delay, describeError, limits, startTimer } from '@errand/platform';
import type { Charge } from '../charge.ts';
import type { MoneyDeps } from '../deps.ts';
import { writeDraft } from './drafts.ts';
import { type Reservation, renewReservation } from './reservation.ts';

/** A store that hangs must not hold up the charge. A hold that is renewed after its charge ends by itself. */
const longestRenewalMilliseconds = 1_000;

/** Keeps a reservation while its call is in work. */
interface KeptReservation {
  /** Sets more aside. False if there is not as much. */
  extend(moreNanoEuro: number): Promise<boolean>;
  /** Resolves when nothing writes the reservation any more. */
  stop(): Promise<void>;
  /** The draft that was written last. It is deleted when the call is charged. */
  drafted(): Charge | undefined;
}

/**
 * Renews the reservation every `limits.reservationRenewalMilliseconds` until it is stopped. Each time `draft` says what is known of the call: if the process
 * dies, that is charged when the reservation ends. Without it nothing is.
 */
export function keepReservation(
  deps: MoneyDeps,
  reservation: Reservation | undefined,
  draft: () => Promise<Charge | undefined> = async () => undefined,
): KeptReservation {
  if (!reservation) return { extend: async () => true, stop: async () => {}, drafted: () => undefined };
  const turns = createTurns();
  let drafted: Charge | undefined;
  let stopTimer = () => {};
  const renew = async () => {
    try {
      const charge = await draft();
      if (charge) await writeDraft(deps, reservation, charge);
      drafted = charge ?? drafted;
    } catch (error) {
      deps.log.warn('draft not written', { reservation: reservation.id, ...describeError(error) });
    }
    await renewReservation(deps, reservation, 0).catch((error: unknown) =>
      deps.log.warn('reservation not renewed', { reservation: reservation.id, ...describeError(error) }),
    );
  };
  const schedule = () => {
    stopTimer = startTimer(deps, limits.reservationRenewalMilliseconds, () => {
      schedule();
      void turns.run(renew);
    });
  };
  schedule();
  return {
    extend: (more) => turns.run(() => renewReservation(deps, reservation, more)),
    async stop() {
      stopTimer();
      if (turns.busy()) await Promise.race([turns.run(async () => {}), delay(longestRenewalMilliseconds)]);
    },
    drafted: () => drafted,
  };
}
