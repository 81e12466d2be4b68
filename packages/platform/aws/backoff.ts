import { randomInt } from 'node:crypto';
import { delay } from '../clock.ts';

export type Wait = (milliseconds: number) => Promise<void>;

const baseMilliseconds = 20;
const mostMilliseconds = 1_000;

/** Waits after attempt 1, 2, and so on: for a random time up to a bound that doubles, 1 s at most. */
export const backOff = ({ wait = delay }: { wait?: Wait }, attempt: number): Promise<void> =>
  wait(randomInt(Math.min(mostMilliseconds, baseMilliseconds * 2 ** attempt)));
