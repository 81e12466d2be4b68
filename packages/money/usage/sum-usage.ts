import { inParallel, limits } from '@errand/platform';
import type { ReportDeps } from './deps.ts';
import { unpackGroups } from './pack.ts';
import { firstEntryAt, readSpan } from './read-span.ts';
import { isTrusted, rollUpDay } from './roll-up-day.ts';
import { addEntry, type Group, type Tally } from './tally.ts';
import {
  ceilToHour,
  closedHoursOf,
  dayMilliseconds,
  daysOf,
  floorToDay,
  floorToHour,
  hourMilliseconds,
  type Span,
  toDay,
} from './times.ts';
import { readDays, readHours, type StoredDay } from './usage-store.ts';

/** Called with sums of a day. The `hour` of the groups means something only if hours were asked for. */
type Take = (day: number, groups: Iterable<Group>) => void;

/**
 * Sums up what was written into the ledger in the span. Closed hours are read from roll-ups, which are made and
 * stored if they are missing; open hours, and hours that lie only partly in the span, are read from the ledger.
 */
export async function sumUsage(
  deps: ReportDeps,
  ledger: string,
  { from, to, byHour }: Span & { byHour: boolean },
  take: Take,
): Promise<void> {
  const now = deps.clock();
  // Clocks differ, so there may be entries of tomorrow.
  const span = { from, to: Math.min(to, floorToDay(now) + 2 * dayMilliseconds) };
  const days = daysOf(span);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return;
  const { days: stored, parts } = await readDays(deps, ledger, [first, last]);
  const isMissing = (day: number) => closedHoursOf(day, now) > 0 && !stored.has(toDay(day));
  const begins = days.some(isMissing) ? ((await firstEntryAt(deps, ledger)) ?? Infinity) : 0;
  const hoursParts = byHour ? await readHours(deps, ledger, [first, last]) : undefined;
  const summing = days
    .filter((day) => !isMissing(day) || day + dayMilliseconds > begins)
    .map((day): DayInWork => {
      const known = stored.get(toDay(day));
      const dayParts = known && parts.get(known.digest);
      return { deps, ledger, day, span, byHour, known, dayParts, hoursParts, take };
    });
  await inParallel(summing, limits.usageReadsAtOnce, sumDay);
}

interface DayInWork {
  deps: ReportDeps;
  ledger: string;
  day: number;
  span: Span;
  byHour: boolean;
  known: StoredDay | undefined;
  dayParts: Uint8Array[] | undefined;
  hoursParts: Map<string, Uint8Array[]> | undefined;
  take: Take;
}

async function sumDay(work: DayInWork): Promise<void> {
  const { deps, ledger, day, span, known, take } = work;
  const from = Math.max(span.from, day);
  const to = Math.min(span.to, day + dayMilliseconds);
  const closed = closedHoursOf(day, deps.clock());
  const stored = known && known.untilHour >= closed && isTrusted(deps, day, known) ? known : undefined;
  const storedUntil = day + (stored?.untilHour ?? 0) * hourMilliseconds;
  const sums = stored && from === day && storedUntil <= to && storedSums(work, stored);
  if (sums) {
    take(day, sums);
    return sumEntries(work, { from: storedUntil, to });
  }
  const begin = ceilToHour(from);
  if (begin >= Math.min(floorToHour(to), day + closed * hourMilliseconds))
    return sumEntries(work, { from, to });
  const { untilHour, hours } =
    (stored && storedHours(work, stored)) || (await rollUpDay(deps, ledger, day, closed, known));
  const end = Math.min(floorToHour(to), day + untilHour * hourMilliseconds);
  take(day, hoursWithin(hours, day, { from: begin, to: end }));
  await sumEntries(work, { from, to: begin });
  await sumEntries(work, { from: end, to });
}

/** The sums of the day as they are stored. Undefined if hours are asked for, or a part has expired. */
function storedSums({ byHour, dayParts }: DayInWork, stored: StoredDay): Group[] | undefined {
  return !byHour && dayParts?.length === stored.dayParts ? unpackGroups(dayParts) : undefined;
}

function storedHours({ hoursParts }: DayInWork, { untilHour, digest, hoursParts: count }: StoredDay) {
  const parts = hoursParts?.get(digest);
  return parts?.length === count ? { untilHour, hours: unpackGroups(parts) } : undefined;
}

function* hoursWithin(hours: Iterable<Group>, day: number, { from, to }: Span): Generator<Group> {
  for (const group of hours) {
    const start = day + group[0] * hourMilliseconds;
    if (from <= start && start < to) yield group;
  }
}

async function sumEntries({ deps, ledger, day, take }: DayInWork, span: Span): Promise<void> {
  const tally: Tally = new Map();
  await readSpan(deps, ledger, span, (entries) => {
    for (const entry of entries) addEntry(tally, entry);
  });
  take(day, tally.values());
}
