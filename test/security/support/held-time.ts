import type { StartTimer } from '@errand/platform';

interface Timer {
  at: number;
  end(): void;
}

/** A clock, and timers that end only when the test moves it. */
export interface HeldTime {
  clock: () => number;
  startTimer: StartTimer;
  /** Moves the clock, and ends the timers that are due, in order. */
  advance(milliseconds: number): void;
  /** How many timers run. */
  timers(): number;
}

/** `clock` is one that something else holds too. */
export function heldTime(
  clock: HeldTime['clock'] & { advance(milliseconds: number): number } = movable(Date.now()),
): HeldTime {
  const timers = new Set<Timer>();
  const nextBefore = (until: number) =>
    [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  return {
    clock,
    startTimer(milliseconds, end) {
      const timer = { at: clock() + milliseconds, end };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(milliseconds) {
      const until = clock() + milliseconds;
      for (let timer = nextBefore(until); timer; timer = nextBefore(until)) {
        timers.delete(timer);
        clock.advance(Math.max(0, timer.at - clock()));
        timer.end();
      }
      clock.advance(until - clock());
    },
    timers: () => timers.size,
  };
}

function movable(start: number) {
  let now = start;
  return Object.assign(() => now, { advance: (milliseconds: number) => (now += milliseconds) });
}
