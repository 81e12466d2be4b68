import type { CostBound, Covered, Reservation } from '@errand/accounts';

/** What a run may still spend: within its cap, and within what its account has. */
export interface Spending {
  /**
   * Sets aside what a call may cost at most, or what is left if that is less. Undefined if that does not pay for the call.
   * What the run has for its first completion since its creation is used for a `completion`.
   */
  reserve(bound: CostBound, kind: 'completion' | 'tool'): Promise<SetAside | undefined>;
  /** Gives back what no call has used. */
  end(): Promise<void>;
}

/** An amount that is kept for one call until the call has its cost. */
export interface SetAside {
  nanoEuro: number;
  /**
   * The price of the call is this. Returns what of it is charged, and the amount, which is kept no longer: the commit of the
   * cost ends it.
   */
  spend(priceNanoEuro: number): Promise<Spent>;
  /** Gives the amount back, unless a cost that was committed has ended it. */
  release(): Promise<void>;
}

export interface Spent extends Covered {
  reservation?: Reservation;
}
