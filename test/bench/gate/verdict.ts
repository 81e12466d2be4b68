import { median } from '../figures.ts';
import { type Count, countKinds, type Measured, type Time, type TimeKind, timeKinds } from './figures.ts';
import { type Both, type Compared, compare, noiseOf } from './noise.ts';

/** A row of the gate's table. */
export interface Line extends Both<number> {
  what: string;
  name: string;
  /** Of this checkout against the baseline: 0.2 is 20 % more. */
  change: number;
  isDearer: boolean;
  isTime: boolean;
}

export type Noise = Partial<Record<TimeKind, number>>;

const share = (log: number): number => Math.expm1(log);

/** Compares what was measured. The noise of each kind is that of this run. */
export function judge({ times, counts }: Measured): { lines: Line[]; noise: Noise } {
  const compared = times.map((time) => ({ time, ...compare(time.rounds) }));
  const noise: Noise = {};
  for (const kind of Object.keys(timeKinds) as TimeKind[])
    noise[kind] = share(noiseOf(compared.filter(({ time }) => time.kind === kind)));
  return { lines: [...compared.map((one) => lineOfTime(one, noise)), ...counts.map(lineOfCount)], noise };
}

function lineOfTime({ time, change: log }: Compared & { time: Time }, noise: Noise): Line {
  const of = (side: keyof Both<number>) => median(time.rounds.flatMap((round) => round[side]));
  const change = share(log);
  return {
    what: time.what,
    name: timeKinds[time.kind],
    now: of('now'),
    base: of('base'),
    change,
    isDearer: change > noise[time.kind]!,
    isTime: true,
  };
}

const lineOfCount = ({ what, kind, now, base }: Count): Line => ({
  what,
  name: countKinds[kind].name,
  now,
  base,
  change: now / base - 1,
  isDearer: now - base > countKinds[kind].allowed,
  isTime: false,
});
