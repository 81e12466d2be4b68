import type { NamedWrite } from '@errand/platform';
import type { StoreDeps } from '../deps.ts';
import type { ItemKey } from '../store.ts';
import type { Hold } from './purse.ts';
import type { Reservation } from './reservation.ts';
import { prolongWrite } from './store.ts';

/**
 * Makes reservations last until a time without renewal, for a run that waits in the queue for a worker. Returns the
 * writes for the caller's own transaction, and the reservations as they are after it.
 */
export function prolong(
  deps: Pick<StoreDeps, 'tables'>,
  reservations: readonly Reservation[],
  untilSeconds: number,
): { writes: NamedWrite[]; reservations: Reservation[] } {
  const purses = new Map<string, { key: ItemKey; holds: Map<string, { before: Hold; after: Hold }> }>();
  const prolonged = reservations.map((reservation) => ({
    ...reservation,
    parts: reservation.parts.map((part) => {
      const { key, hold: before } = part;
      const after = { ...before, untilSeconds };
      const purse = purses.get(key.pk) ?? { key, holds: new Map() };
      purses.set(key.pk, purse);
      purse.holds.set(reservation.id, { before, after });
      return { ...part, hold: after };
    }),
  }));
  const writes = [...purses.values()].map(({ key, holds }) => prolongWrite(deps, key, holds));
  return { writes, reservations: prolonged };
}
