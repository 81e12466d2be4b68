import { type Clock, limits, toIso } from '@errand/platform';

export const hourMilliseconds = 60 * 60 * 1000;
export const dayMilliseconds = 24 * hourMilliseconds;
export const hoursPerDay = 24;

/** From the year 10,000 on, ISO 8601 times have more digits and would sort before all others. */
export const endOfTime = Date.UTC(10_000, 0, 1);

/** A time span in milliseconds since the epoch. */
export interface Span {
  from: number;
  /** Exclusive. */
  to: number;
}

const floorTo = (unit: number, time: number): number => Math.floor(time / unit) * unit;

export const floorToHour = (time: number): number => floorTo(hourMilliseconds, time);
export const ceilToHour = (time: number): number => -floorToHour(-time);
export const floorToDay = (time: number): number => floorTo(dayMilliseconds, time);

/** `2026-11-21`. */
export const toDay = (time: number): string => toIso(time).slice(0, 10);

/** The starts of the days that the span touches. */
export function daysOf({ from, to }: Span): number[] {
  const days: number[] = [];
  for (let day = floorToDay(from); day < to; day += dayMilliseconds) days.push(day);
  return days;
}

/**
 * The times that an entry is stored with. An entry belongs to the hour in which it is written, so that an hour that
 * is over does not change. A deferred entry, written in a later hour than its work was done, has the time of
 * writing in `at`, by which the ledger is sorted, and the time of the work in `doneAt`.
 */
export function timesOfEntry({ clock }: { clock: Clock }, doneAt: string): { at: string; doneAt?: string } {
  const now = clock();
  if (floorToHour(Date.parse(doneAt)) === floorToHour(now)) return { at: doneAt };
  return { at: toIso(now), doneAt };
}

/** How many hours of the day are closed: no entry can come into them any more. */
export function closedHoursOf(day: number, now: number): number {
  const closed = Math.floor((now - limits.usageGraceMilliseconds - day) / hourMilliseconds);
  return Math.min(Math.max(closed, 0), hoursPerDay);
}
