import { limits } from '@errand/platform';
import { batchFor, invocationsFor } from '../../../../infra/concurrency.ts';
import { functionShapes } from '../../../../infra/functions.ts';
import { type Outcome, type Plan, simulate, type Times } from './simulate.ts';

/** Runs of one user in a day, and how far the busiest hour is above the mean. */
export const runsOfUserAndDay = 10;
export const peakFactor = 4;

const shortestSeconds = 10;
const longestSeconds = 900;
const steepness = 1.6;
const daySeconds = 86_400;

/** Lengths of runs, of a number from 0 to 1. */
export type Mix = (share: number) => number;

/** Many short runs and few long ones: a power law between the two ends. */
export const mixed: Mix = (share) => {
  const [first, last] = [shortestSeconds, longestSeconds].map((seconds) => seconds ** (1 - steepness));
  return (first! + share * (last! - first!)) ** (1 / (1 - steepness));
};

export const ofOneMinute: Mix = () => 60;

/** The same numbers from 0 to 1 for each seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixing = Math.imul(state ^ (state >>> 15), state | 1);
    mixing ^= mixing + Math.imul(mixing ^ (mixing >>> 7), mixing | 61);
    return ((mixing ^ (mixing >>> 14)) >>> 0) / 2 ** 32;
  };
}

const invocationSeconds = functionShapes.worker.timeoutSeconds;

export const workerTimes: Times = {
  takeSeconds: invocationSeconds - limits.invocationTakeMilliseconds / 1000,
  handOnSeconds: invocationSeconds - limits.invocationHandOverMilliseconds / 1000,
  receiveSeconds: 2,
};

export interface Load {
  users: number;
  /** Whether it is the busiest hour, or the mean of the day. */
  isPeak: boolean;
  runsAtOnce: number;
}

export const loads: readonly Load[] = [
  { users: 10, runsAtOnce: 10 },
  { users: 1_000, runsAtOnce: 100 },
  { users: 100_000, runsAtOnce: 10_000 },
].flatMap((load) => [false, true].map((isPeak) => ({ ...load, isPeak })));

export const runsPerSecondOf = ({ users, isPeak }: Load): number =>
  ((users * runsOfUserAndDay) / daySeconds) * (isPeak ? peakFactor : 1);

/** The worker with one run in an invocation. */
export const oneEach = ({ runsAtOnce }: Load): Plan => ({
  ...{ places: 1, batch: 1, invocations: runsAtOnce, receives: false, handsOnLast: false },
});

/** The worker as it is deployed. */
export function several({ runsAtOnce }: Load, rules = { receives: true, handsOnLast: true }): Plan {
  const { invocations, runs } = invocationsFor(runsAtOnce);
  return { places: runs, batch: batchFor(runs), invocations, ...rules };
}

/** Enough runs that one of them more or less changes no figure, and three hours at least where invocations fill, which outweigh the first minutes and the last. */
const leastRuns = 20_000;
const leastSeconds = 10_800;

export function outcomeOf(plan: Plan, load: Load, mix: Mix): Outcome {
  const random = randomFrom(1);
  const runsPerSecond = runsPerSecondOf(load);
  const long = plan.places > 1 ? Math.ceil(runsPerSecond * leastSeconds) : 0;
  const lengths = Array.from({ length: Math.max(leastRuns, long) }, () => mix(random()));
  return simulate(plan, { lengths, runsPerSecond, random }, workerTimes);
}

/** Runs a second of so many invocations that are never without a run that waits. */
export function mostRunsPerSecond(plan: Plan, mix: Mix): number {
  const random = randomFrom(1);
  const lengths = Array.from({ length: leastRuns * 2 }, () => mix(random()));
  const { runs, seconds } = simulate(plan, { lengths, runsPerSecond: Infinity, random }, workerTimes);
  return runs / seconds;
}
