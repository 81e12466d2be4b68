import { limits, watchWaits } from '@errand/platform';

/** Why a call of a tool was stopped while its run goes on. */
export class ToolTimeout extends Error {
  override readonly name = 'ToolTimeout';
}

/** The time that a call has used, in milliseconds. */
export interface Spent {
  worked: number;
  waited: number;
}

interface ToolClock {
  /** For the work of the call. Aborts with the outer signal's reason, or with a `ToolTimeout`. */
  signal: AbortSignal;
  /** What was used up, if that has stopped the call. */
  ranOut(): keyof Spent | undefined;
  spent(): Spent;
  stop(): void;
}

/**
 * Bounds the time of a call. The clock stands while the call's work waits for a thread, which has a bound of its own: how
 * many others have work for the threads says nothing about this call.
 */
export function startToolClock(timeoutMilliseconds: number, outer: AbortSignal): ToolClock {
  const limit = new AbortController();
  const bounds: Spent = { worked: timeoutMilliseconds, waited: limits.threadWaitMilliseconds };
  const spent: Spent = { worked: 0, waited: 0 };
  let running: keyof Spent = 'worked';
  let ranOut: keyof Spent | undefined;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const pause = () => {
    clearTimeout(timer);
    const now = performance.now();
    spent[running] += now - since;
    since = now;
  };
  const run = (next: keyof Spent) => {
    running = next;
    timer = setTimeout(
      () => {
        ranOut = next;
        limit.abort(new ToolTimeout());
      },
      Math.max(0, bounds[next] - spent[next]),
    );
  };
  run('worked');
  const signal = AbortSignal.any([outer, limit.signal]);
  watchWaits(signal, (isWaiting) => {
    if (signal.aborted) return;
    pause();
    run(isWaiting ? 'waited' : 'worked');
  });
  return {
    signal,
    ranOut: () => ranOut,
    spent: () => {
      pause();
      return { ...spent };
    },
    stop: () => clearTimeout(timer),
  };
}
