import {
  type AccountsDeps,
  type CostBound,
  keepReservation,
  type Reservation,
  releaseReservation,
} from '@errand/accounts';

/** What was set aside when the run was created, kept until its first completion. */
export interface FirstReservation {
  reservation: Reservation;
  nanoEuro(): number;
  /**
   * Sets aside up to so much. Less if `reserve` finds less. False if the reservation has ended by itself, or another worker
   * has kept it meanwhile.
   */
  growTo(nanoEuro: number, reserve: (bound: CostBound) => Promise<Reservation | undefined>): Promise<boolean>;
  stop(): Promise<void>;
  release(): Promise<void>;
}

export function keepFirst(deps: AccountsDeps, stored: Reservation): FirstReservation {
  const reservation = structuredClone(stored);
  const kept = keepReservation(deps, reservation, async () => undefined);
  return {
    reservation,
    nanoEuro: () => reservation.nanoEuro,
    async growTo(nanoEuro, reserve) {
      const missing = Math.max(0, nanoEuro - reservation.nanoEuro);
      if (await kept.extend(missing)) return true;
      if (missing > 0) {
        // Tells how much there is, which the reservation can then grow by.
        const rest = await reserve({
          mostNanoEuro: missing,
          within: async (there) => Math.min(there, missing),
        });
        await releaseReservation(deps, rest);
        if (rest && (await kept.extend(rest.nanoEuro))) return true;
      }
      return kept.extend(0);
    },
    stop: kept.stop,
    async release() {
      await kept.stop();
      await releaseReservation(deps, reservation);
    },
  };
}
