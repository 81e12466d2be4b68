import { limits } from '@errand/platform';
import { Cron } from 'croner';

/** When a schedule is due: at the times of a cron pattern in a time zone, or again and again since a moment. */
export type Timing =
  | { cron: string; timeZone: string }
  | { every: string; timeZone: string; sinceMilliseconds: number };

const fiveFields = /^[\w*,/#-]+( +[\w*,/#-]+){4}$/;

/**
 * By cron's own rule, patterns without `*` and steps in their minute and hour are times of day: they are due once where a time
 * occurs twice, and when the clock jumps where the time does not occur. All others are due by the time that passes.
 */
const cronOf = ({ cron, timeZone }: { cron: string; timeZone: string }): Cron =>
  new Cron(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });

/** What is wrong with a cron pattern. Undefined if it is one, and is due at some time. */
export function problemOfCron(cron: string, afterMilliseconds: number): string | undefined {
  if (!fiveFields.test(cron)) return 'must be five fields: minute, hour, day of month, month, day of week';
  try {
    const next = cronOf({ cron, timeZone: 'UTC' }).nextRun(new Date(afterMilliseconds));
    return next ? undefined : 'is never due';
  } catch {
    return 'is no cron pattern';
  }
}

/** Whether this is a time zone of the IANA's. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const unitSeconds = { m: 60, h: 60 * 60, d: 24 * 60 * 60 } as const;

/** The length of `every`. Undefined if it has another form, or is too short or too long. */
export function everySeconds(every: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(every) ?? [];
  if (count === undefined) return undefined;
  const seconds = Number(count) * unitSeconds[unit as keyof typeof unitSeconds];
  return seconds >= limits.scheduleLeastSeconds && seconds <= limits.scheduleMostSeconds
    ? seconds
    : undefined;
}

/** The first instant after a time. Undefined if there is none. */
export function nextInstant(timing: Timing, afterMilliseconds: number): number | undefined {
  if ('cron' in timing) return cronOf(timing).nextRun(new Date(afterMilliseconds))?.getTime();
  const { sinceMilliseconds } = timing;
  const step = (everySeconds(timing.every) ?? limits.scheduleMostSeconds) * 1000;
  const passed = Math.floor((afterMilliseconds - sinceMilliseconds) / step);
  return sinceMilliseconds + (Math.max(0, passed) + 1) * step;
}

/** How many instants there are after a time and up to another one: `limits.scheduleMissedCounted` at most. */
export function countInstants(timing: Timing, after: number, upTo: number): number {
  let count = 0;
  let instant = nextInstant(timing, after);
  while (instant !== undefined && instant <= upTo && count < limits.scheduleMissedCounted) {
    count++;
    instant = nextInstant(timing, instant);
  }
  return count;
}
