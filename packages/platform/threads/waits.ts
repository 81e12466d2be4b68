import type { Semaphore } from '../semaphore.ts';

interface Waiting {
  /** How many pieces of the work wait now. */
  count: number;
  tell(isWaiting: boolean): void;
}

/** Those who measure the time of a piece of work, by the signal that the work was given. */
const watched = new WeakMap<AbortSignal, Waiting>();

/** Calls `tell` when the work of this signal begins to wait for its turn, and when it goes on. */
export function watchWaits(signal: AbortSignal, tell: (isWaiting: boolean) => void): void {
  watched.set(signal, { count: 0, tell });
}

/** Takes a slot, and reports the wait for it to those who watch the waits of the signal. */
export async function takeTurn(
  turns: Semaphore,
  { signal, owner }: { signal: AbortSignal | undefined; owner: string | undefined },
): Promise<() => void> {
  const waiting = signal && watched.get(signal);
  if (waiting && ++waiting.count === 1) waiting.tell(true);
  try {
    return await turns.take({ signal, owner });
  } finally {
    if (waiting && --waiting.count === 0) waiting.tell(false);
  }
}

/** How long the work of this signal has waited for its turns, and how long it has worked, in milliseconds. */
export function measureWaits(signal: AbortSignal): () => { waited: number; worked: number } {
  const time = { waited: 0, worked: 0 };
  let isWaiting = false;
  let since = performance.now();
  const read = () => {
    const now = performance.now();
    time[isWaiting ? 'waited' : 'worked'] += now - since;
    since = now;
    return { ...time };
  };
  watchWaits(signal, (begins) => {
    read();
    isWaiting = begins;
  });
  return read;
}
