import { describe, expect, test } from 'vitest';
import {
  countInstants,
  everySeconds,
  isTimeZone,
  nextInstant,
  problemOfCron,
  type Timing,
} from './instants.ts';

const minute = 60_000;
const hour = 60 * minute;
const from = Date.parse('2026-01-01T00:00:00Z');
const to = Date.parse('2027-01-01T00:00:00Z');

async function instantsOf(timing: Timing, after: number, upTo: number): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const at = await nextInstant(timing, Date.parse(found.at(-1) ?? '') || after);
    if (at === undefined || at > upTo) return found;
    found.push(new Date(at).toISOString());
  }
}

/** How far the clocks of a zone are ahead of UTC, by the quarter of an hour. */
function offsets(timeZone: string): (at: number) => number {
  const { format } = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', hour: 'numeric' });
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / (15 * minute));
    let offset = known.get(quarter);
    if (offset === undefined) {
      const [, sign, hours = 0, minutes = 0] =
        /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format(quarter * 15 * minute)) ?? [];
      offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
      known.set(quarter, offset);
    }
    return offset;
  };
}

/** Every minute of the year is looked at as its clock shows it. */
function expected(timeZone: string, shows: (clock: Date) => boolean, isTimeOfDay: boolean): string[] {
  const offsetAt = offsets(timeZone);
  const found: string[] = [];
  let shown = from + offsetAt(from);
  for (let at = from + minute; at <= to; at += minute) {
    const clock = at + offsetAt(at);
    // The clock has jumped: what it left out is due now. It was set back: what it shows again was due.
    const isLeftOut = (): boolean => {
      for (let left = shown + minute; left < clock; left += minute) if (shows(new Date(left))) return true;
      return false;
    };
    if (isTimeOfDay) {
      if (clock > shown && (shows(new Date(clock)) || isLeftOut())) found.push(new Date(at).toISOString());
      shown = Math.max(shown, clock);
    } else if (shows(new Date(clock))) found.push(new Date(at).toISOString());
  }
  return found;
}

const zones = ['Europe/Amsterdam', 'America/New_York', 'Australia/Lord_Howe', 'UTC'];

describe.each(zones)('over a year in %s', (timeZone) => {
  test.each<[string, (clock: Date) => boolean]>([
    ['30 2 * * *', (clock) => clock.getUTCHours() === 2 && clock.getUTCMinutes() === 30],
    [
      '15 1,2,3 * * 0',
      (clock) =>
        clock.getUTCDay() === 0 && [1, 2, 3].includes(clock.getUTCHours()) && clock.getUTCMinutes() === 15,
    ],
    [
      '0 12 29-31 * *',
      (clock) => clock.getUTCDate() >= 29 && clock.getUTCHours() === 12 && clock.getUTCMinutes() === 0,
    ],
  ])('the time of day %s is due once on each of its days, also where clocks change', async (cron, shows) => {
    expect(await instantsOf({ cron, timeZone }, from, to)).toEqual(expected(timeZone, shows, true));
  });

  test('what is due every hour, or more often, goes by the time that passes', async () => {
    const shows = (clock: Date) => clock.getUTCDay() === 0 && clock.getUTCMinutes() % 30 === 0;
    expect(await instantsOf({ cron: '*/30 * * * 0', timeZone }, from, to)).toEqual(
      expected(timeZone, shows, false),
    );
  });
});

test('an instant comes after a time, however near that is', async () => {
  const timing = { cron: '0 7 * * *', timeZone: 'UTC' };
  const at = Date.parse('2026-11-27T07:00:00Z');
  const instants = [at - 1, at - 999, at, at + 1].map((after) => nextInstant(timing, after));
  expect(await Promise.all(instants)).toEqual([at, at, at + 24 * hour, at + 24 * hour]);
});

test('equal times are counted from their beginning, whatever was missed', async () => {
  const timing = { every: '90m', timeZone: 'UTC', sinceMilliseconds: from };
  expect(await instantsOf(timing, from, from + 4 * hour)).toEqual([
    '2026-01-01T01:30:00.000Z',
    '2026-01-01T03:00:00.000Z',
  ]);
  expect(await nextInstant(timing, from + 10 * hour)).toBe(from + 10.5 * hour);
  expect(await nextInstant(timing, from - hour)).toBe(from + 1.5 * hour);
  expect(await countInstants(timing, from, from + 4.5 * hour)).toBe(3);
  expect(await countInstants(timing, from, to)).toBe(100);
});

test.each([
  ['1m', 60],
  ['90m', 5_400],
  ['6h', 21_600],
  ['31d', 2_678_400],
  ['32d', undefined],
  ['0m', undefined],
  ['59s', undefined],
  ['1.5h', undefined],
  ['-1h', undefined],
  ['', undefined],
])('the time %s is %s seconds', (every, seconds) => {
  expect(everySeconds(every)).toBe(seconds);
});

test.each([
  ['* * * * *', undefined],
  ['0-30/10 7 * jan-mar mon-fri', undefined],
  ['0 0 29 2 *', undefined],
  ['0 0 L * *', undefined],
  ['* * * *', 'must be five fields'],
  ['* * * * * *', 'must be five fields'],
  ['@daily', 'must be five fields'],
  ['? * * * *', 'must be five fields'],
  ['60 * * * *', 'is no cron pattern'],
  ['a b c d e', 'is no cron pattern'],
  ['0 0 30 2 *', 'is never due'],
])('the pattern %s: %s', async (cron, problem) => {
  const found = await problemOfCron(cron, from);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test('time zones are those of the IANA', () => {
  expect([...zones, 'Mars/Olympus', '+02:00', '', 'utc'].map(isTimeZone)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
});
