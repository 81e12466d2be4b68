import { type StartTimer, startTimer, systemClock } from '@errand/platform';
import { vi } from 'vitest';

/** Timers of the system that a test can end early. */
export interface HurriedTimers {
  startTimer: StartTimer;
  /** Ends the timers that were started for so long at most. */
  end(longestMilliseconds: number): void;
  /** Whether a timer runs that was started for exactly so long. */
  runs(milliseconds: number): boolean;
}

export function hurriedTimers(): HurriedTimers {
  const running = new Map<object, { milliseconds: number; end: () => void }>();
  return {
    startTimer(milliseconds, onEnd) {
      const token = {};
      const stop = startTimer({ clock: systemClock }, milliseconds, () => {
        running.delete(token);
        onEnd();
      });
      const end = () => {
        cancel();
        onEnd();
      };
      const cancel = () => {
        running.delete(token);
        stop();
      };
      running.set(token, { milliseconds, end });
      return cancel;
    },
    end(longestMilliseconds) {
      for (const { milliseconds, end } of [...running.values()])
        if (milliseconds <= longestMilliseconds) end();
    },
    runs: (milliseconds) => [...running.values()].some((timer) => timer.milliseconds === milliseconds),
  };
}

/** Takes hold of the timers that are started for exactly so long by `setTimeout`. Returns the function that ends them. */
export function holdTimeouts(milliseconds: number): () => void {
  const held: (() => void)[] = [];
  const start = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, time = 0, ...given: []) => {
    const timer = start(end, time, ...given);
    if (time === milliseconds)
      held.push(() => {
        if ((timer as unknown as { _destroyed: boolean })._destroyed) return;
        clearTimeout(timer);
        end();
      });
    return timer;
  }) as typeof setTimeout);
  return () => {
    for (const end of held) end();
  };
}
