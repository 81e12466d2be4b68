import { randomInt } from 'node:crypto';
import { delay } from '../clock.ts';

export interface BackoffDeps {
  /** Replaced in tests that hold the time. */
  wait?: (milliseconds: number) => Promise<void>;
}

const baseMilliseconds = 20;
const mostMilliseconds = 1_000;

/** Waits before the attempt after this one (from 1): exponential, with full jitter. */
export const backOff = ({ wait = delay }: BackoffDeps, attempt: number): Promise<void> =>
  wait(randomInt(Math.min(mostMilliseconds, baseMilliseconds * 2 ** attempt)));
