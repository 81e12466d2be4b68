import { limits } from '@errand/platform';
import type { Delivery } from '../delivery.ts';

/** The pauses after the first attempts. The last pause follows every further attempt, too. */
const pausesSeconds = [5, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 43_200] as const;

/** The greatest share by which chance lengthens a pause, so that attempts that failed together are spread out. */
const greatestStretch = 0.1;

/**
 * When an attempt that was due then, and finds as many of its account under way as may be, looks again. The waits grow
 * with its age, so that a receiver that hangs does not have its whole queue turned over and over.
 */
export function nextTurn(
  dueMilliseconds: number,
  nowMilliseconds: number,
  chance: () => number = Math.random,
): number {
  const pause = Math.max((nowMilliseconds - dueMilliseconds) / 2, limits.webhookRoomMilliseconds);
  const longest = limits.webhookHopSeconds * 1000;
  return Math.round(nowMilliseconds + Math.min(pause * (1 + greatestStretch * chance()), longest));
}

/** When a delivery that has just failed is tried again; undefined if its time for attempts is over. */
export function nextAttempt(
  { attempts, attemptsBefore, startedAtMilliseconds }: Delivery,
  nowMilliseconds: number,
  chance: () => number = Math.random,
): number | undefined {
  const endMilliseconds = startedAtMilliseconds + limits.webhookAttemptsSeconds * 1000;
  if (nowMilliseconds >= endMilliseconds) return undefined;
  const index = Math.min(attempts - attemptsBefore, pausesSeconds.length - 1);
  const pause = pausesSeconds[index]! * 1000 * (1 + greatestStretch * chance());
  return Math.min(Math.round(nowMilliseconds + pause), endMilliseconds);
}
