import { limits, toIso } from '@errand/platform';
import type { ReportDeps } from './deps.ts';
import { digestOf, packTally, unpackGroups } from './pack.ts';
import { readPage, readSpan } from './read-span.ts';
import { addEntry, addGroup, type Group, sumHours, type Tally, type UsedEntry } from './tally.ts';
import { closedHoursOf, hourMilliseconds, toDay } from './times.ts';
import { readDays, readHours, type StoredDay, writeDay } from './usage-store.ts';

/** A day of a ledger whose closed hours are rolled up. */
interface RolledDay {
  /** The hours that are rolled up are those before this one. */
  untilHour: number;
  /** The sums by hour. */
  hours: Iterable<Group>;
}

/**
 * Rolls up the closed hours of the day that are not rolled up yet, and stores them. What a report has read when it ends early
 * is stored too, so that it leaves less to the next one. If another process is faster, its roll-up holds. `known` is
 * what is stored of the day.
 */
export async function rollUpDay(
  deps: ReportDeps,
  ledger: string,
  day: number,
  closedHours: number,
  known: StoredDay | undefined,
): Promise<RolledDay> {
  const work: Work = { deps, ledger, day, tally: new Map(), untilHour: 0, before: known?.digest };
  if (known && isTrusted(deps, day, known)) await takeStored(work, known);
  if (work.untilHour >= closedHours) return { untilHour: work.untilHour, hours: work.tally.values() };
  const storedHours = work.untilHour;
  try {
    await readUntil(work, closedHours);
  } catch (error) {
    if (work.untilHour > storedHours) await store(work, work.untilHour).catch(() => undefined);
    throw error;
  }
  return (await store(work, closedHours)) ?? again(work, closedHours);
}

const mostPagesAtOnce = 32;

/** Adds the hours before this one to the tally: two pages of them at first, then always twice as many. */
async function readUntil(work: Work, closedHours: number): Promise<void> {
  const { deps, ledger, day } = work;
  const timeOf = (hour: number) => day + hour * hourMilliseconds;
  const from = timeOf(work.untilHour);
  const { entries, last } = await readPage(deps, ledger, { from, to: timeOf(closedHours) });
  const lastAt = Date.parse(entries.at(-1)?.at ?? toIso(from));
  const hoursOfPage = last ? (lastAt - from) / hourMilliseconds : closedHours;
  for (let pages = 2; work.untilHour < closedHours; pages = Math.min(2 * pages, mostPagesAtOnce)) {
    const hours = Math.max(1, Math.floor(pages * hoursOfPage));
    const untilHour = Math.min(work.untilHour + hours, closedHours);
    const span = { from: timeOf(work.untilHour), to: timeOf(untilHour) };
    const read: Tally = new Map();
    const take = (page: readonly UsedEntry[]) => {
      for (const entry of page) addEntry(read, entry);
    };
    await readSpan(deps, ledger, span, take, span.from === from ? { entries, last } : undefined);
    for (const [hour, subject, sums] of read.values()) addGroup(work.tally, hour, subject, sums);
    work.untilHour = untilHour;
  }
}

interface Work {
  deps: ReportDeps;
  ledger: string;
  day: number;
  tally: Tally;
  /** The hours that are in the tally are those before this one. */
  untilHour: number;
  /** The digest of what is stored. */
  before: string | undefined;
}

/**
 * True if a stored roll-up may be used: all of its hours are closed. Otherwise a process whose clock was ahead made
 * it.
 */
export const isTrusted = (
  { clock, recount }: Pick<ReportDeps, 'clock' | 'recount'>,
  day: number,
  { untilHour }: StoredDay,
): boolean => !recount && untilHour <= closedHoursOf(day, clock() + limits.clockSkewMilliseconds);

/** Takes over the stored hours. If a part of them has expired, they are made anew. */
async function takeStored(work: Work, { untilHour, digest, hoursParts }: StoredDay): Promise<void> {
  const parts = (await readHours(work.deps, work.ledger, [work.day, work.day])).get(digest);
  if (parts?.length !== hoursParts) return;
  for (const [hour, subject, sums] of unpackGroups(parts)) addGroup(work.tally, hour, subject, sums);
  work.untilHour = untilHour;
}

/** Undefined if another process has stored something else meanwhile. */
async function store(work: Work, untilHour: number): Promise<RolledDay | undefined> {
  const { deps, ledger, day, tally, before } = work;
  const dayParts = packTally(sumHours(tally.values()));
  const hoursParts = packTally(tally);
  const digest = digestOf({ day, untilHour }, [...dayParts, ...hoursParts]);
  if (!(await writeDay(deps, ledger, day, { untilHour, digest, dayParts, hoursParts }, before)))
    return undefined;
  work.before = digest;
  return { untilHour, hours: tally.values() };
}

async function again(work: Work, closedHours: number): Promise<RolledDay> {
  const { deps, ledger, day } = work;
  deps.checkTime();
  const { days } = await readDays(deps, ledger, [day, day]);
  return rollUpDay(deps, ledger, day, closedHours, days.get(toDay(day)));
}
