/** Returns milliseconds since the epoch. Business code takes it as an argument, so that a test can hold the time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Calls `end` once after the time. The function that it returns cancels that. */
export type StartTimer = (milliseconds: number, end: () => void) => () => void;

export const startSystemTimer: StartTimer = (milliseconds, end) => {
  const timer = setTimeout(end, milliseconds);
  return () => clearTimeout(timer);
};

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
