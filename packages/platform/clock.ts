/**
 * The clock of a process. Returns milliseconds since the epoch. Business code takes the clock as an argument, so
 * that tests can use a fake clock.
 */
export interface Clock {
  (): number;
  /** Starts a timer as `startTimer` does. If absent, timers of the system are used. */
  startTimer?: StartTimer;
  /** Waits as `wait` does. Absent: `delay`. */
  wait?: typeof delay;
}

export const systemClock: Clock = () => Date.now();

export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

export type StartTimer = (milliseconds: number, end: () => void) => () => void;

/** Calls `end` once after the time. The function that it returns cancels that. */
export function startTimer({ clock }: { clock: Clock }, milliseconds: number, end: () => void): () => void {
  if (clock.startTimer) return clock.startTimer(milliseconds, end);
  const timer = setTimeout(end, milliseconds);
  return () => clearTimeout(timer);
}

/** Resolves after the time by this clock; rejects as `delay` does. */
export const wait = ({ clock }: { clock: Clock }, ...given: Parameters<typeof delay>): Promise<void> =>
  (clock.wait ?? delay)(...given);

/** Resolves after the time; rejects with the signal's reason as soon as that aborts. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
