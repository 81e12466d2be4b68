import { delay, describeError, limits, startSystemTimer } from '@errand/platform';
import type { AccountsDeps } from '../deps.ts';
import type { Charge } from '../ledger.ts';
import { writeDraft } from './drafts.ts';
import { type Reservation, renewReservation } from './reservation.ts';

/** A store that hangs must not hold up the charge. A hold that is renewed after its charge ends by itself. */
const longestRenewalMilliseconds = 1_000;

/** Keeps a reservation while its call is in work. */
export interface KeptReservation {
  /** Sets more aside. False if there is not as much. */
  extend(moreNanoEuro: number): Promise<boolean>;
  /** Resolves when nothing writes the reservation any more. */
  stop(): Promise<void>;
  /** The draft that was written last. It is deleted when the call is charged. */
  drafted(): Charge | undefined;
}

/**
 * Renews the reservation every 10 s until it is stopped. Each time `draft` says what is known of the call: if the process
 * dies, that is charged when the reservation ends.
 */
export function keepReservation(
  deps: AccountsDeps,
  reservation: Reservation | undefined,
  draft: () => Promise<Charge | undefined>,
): KeptReservation {
  if (!reservation) return { extend: async () => true, stop: async () => {}, drafted: () => undefined };
  const { startTimer = startSystemTimer } = deps;
  let last: Promise<unknown> = Promise.resolve();
  let working = 0;
  let drafted: Charge | undefined;
  let stopTimer = () => {};
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    working++;
    const done = last.then(work).finally(() => {
      working--;
    });
    last = done.catch(() => {});
    return done;
  };
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
    stopTimer = startTimer(limits.reservationRenewalMilliseconds, () => {
      schedule();
      void inTurn(renew);
    });
  };
  schedule();
  return {
    extend: (more) => inTurn(() => renewReservation(deps, reservation, more)),
    async stop() {
      stopTimer();
      if (working > 0) await Promise.race([last, delay(longestRenewalMilliseconds)]);
    },
    drafted: () => drafted,
  };
}
