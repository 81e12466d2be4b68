import { limits } from '@errand/platform';
import type { Cron } from 'croner';

/** When a schedule is due: at the times of a cron pattern in a time zone, or again and again since a moment. */
export type Timing =
  | { cron: string; timeZone: string }
  | { every: string; timeZone: string; sinceMilliseconds: number };

const fiveFields = /^[\w*,/#-]+( +[\w*,/#-]+){4}$/;

/** Most processes that serve schedules work with none: its 33 kB are loaded with the first pattern. */
const loadCron = async () => (await import('croner')).Cron;

/**
 * By cron's own rule, patterns without `*` and steps in their minute and hour are times of day: they are due once where a time
 * occurs twice, and when the clock jumps where the time does not occur. All others are due by the time that passes.
 */
const cronOf = (Parser: typeof Cron, { cron, timeZone }: { cron: string; timeZone: string }): Cron =>
  new Parser(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });

/** What is wrong with a cron pattern. Undefined if it is one, and is due at some time. */
export async function problemOfCron(cron: string, afterMilliseconds: number): Promise<string | undefined> {
  if (!fiveFields.test(cron)) return 'must be five fields: minute, hour, day of month, month, day of week';
  const Parser = await loadCron();
  try {
    const next = cronOf(Parser, { cron, timeZone: 'UTC' }).nextRun(new Date(afterMilliseconds));
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

/** What tells the first instant after a time; undefined if there is none. */
async function instantsOf(timing: Timing): Promise<(afterMilliseconds: number) => number | undefined> {
  if ('cron' in timing) {
    const pattern = cronOf(await loadCron(), timing);
    return (after) => pattern.nextRun(new Date(after))?.getTime();
  }
  const { sinceMilliseconds } = timing;
  const step = (everySeconds(timing.every) ?? limits.scheduleMostSeconds) * 1000;
  return (after) => {
    const passed = Math.floor((after - sinceMilliseconds) / step);
    return sinceMilliseconds + (Math.max(0, passed) + 1) * step;
  };
}

/** The first instant after a time. Undefined if there is none. */
export const nextInstant = async (timing: Timing, afterMilliseconds: number): Promise<number | undefined> =>
  (await instantsOf(timing))(afterMilliseconds);

/** How many instants there are after a time and up to another one: `limits.scheduleMissedCounted` at most. */
export async function countInstants(timing: Timing, after: number, upTo: number): Promise<number> {
  const next = await instantsOf(timing);
  let count = 0;
  let instant = next(after);
  while (instant !== undefined && instant <= upTo && count < limits.scheduleMissedCounted) {
    count++;
    instant = next(instant);
  }
  return count;
}
