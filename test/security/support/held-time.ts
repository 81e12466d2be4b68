import { type HeldClock, heldClock } from '../../support/accounts.ts';

interface Timer {
  at: number;
  end(): void;
}

/** A clock, and timers that end only when the test moves it. */
export interface HeldTime {
  clock: HeldClock;
  /** Moves the clock, and ends the timers that are due, in order. */
  advance(milliseconds: number): void;
  /** How many timers run. */
  timers(): number;
}

/** `clock` is one that something else holds too; its timers are held from now on. */
export function heldTime(clock: HeldClock = heldClock(new Date().toISOString())): HeldTime {
  const timers = new Set<Timer>();
  const nextBefore = (until: number) =>
    [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  clock.startTimer = (milliseconds, end) => {
    const timer = { at: clock() + milliseconds, end };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    clock,
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
