/**
 * How long a write is under way, during which another one of the same item collides with it. AWS promises no figure, only
 * "single-digit milliseconds": these are assumed. A transaction prepares every item and then commits, so it takes twice as long.
 */
export const writeMilliseconds = 2;
export const transactionMilliseconds = 4;

/** Writes that reached the store, and those of them that collided. */
export interface Collisions {
  writes: number;
  refusedWrites: number;
  transactions: number;
  cancelledTransactions: number;
  /** The cancellations that were caused by another transaction; the others were caused by a plain write. */
  cancelledByTransactions: number;
}

export const noCollisions: Readonly<Collisions> = {
  writes: 0,
  refusedWrites: 0,
  transactions: 0,
  cancelledTransactions: 0,
  cancelledByTransactions: 0,
};
