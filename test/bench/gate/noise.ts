import { median } from '../figures.ts';

/** One for this checkout, one for the baseline. */
export interface Both<T> {
  now: T;
  base: T;
}

/** What a round measured: each side twice, by two processes of the same code. */
export type Round = Both<readonly [number, number]>;

/** Natural logarithms of ratios: 0.2 is 22 % more. */
export interface Compared {
  /** This checkout against the baseline. */
  change: number;
  /** Each side against itself. */
  same: [number, number];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * A process stands where the median of its rounds is, each round measured against the mean of the four that took turns in it:
 * a machine that becomes slower slows all four. Ratios, so logarithms.
 */
export function compare(rounds: readonly Round[]): Compared {
  const logs = rounds.map(({ now, base }) => [...now, ...base].map(Math.log));
  const place = (process: number) => median(logs.map((round) => round[process]! - mean(round)));
  const [now, again, base, baseAgain] = [0, 1, 2, 3].map(place) as [number, number, number, number];
  return { change: (now + again - base - baseAgain) / 2, same: [now - again, base - baseAgain] };
}

const deviations = 4;

/**
 * The change that noise alone hardly makes, from what differs although its code is the same, over all figures of one kind. With a
 * deviation d of one process, the difference of two has d times the root of 2, and the change, of two against two, has d. At 4 d and
 * six loads (12 differences), one figure in a thousand would be called dearer by chance.
 */
export function noiseOf(compared: readonly Pick<Compared, 'same'>[]): number {
  const squares = compared.flatMap(({ same }) => same).map((difference) => difference ** 2);
  return deviations * Math.sqrt(mean(squares) / 2);
}
