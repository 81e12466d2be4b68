import type { Item } from '@errand/platform';
import type { ReportDeps } from './deps.ts';
import { queryUsed } from './entries-store.ts';
import type { UsedEntry } from './tally.ts';
import { dayMilliseconds, endOfTime, hourMilliseconds, type Span } from './times.ts';

/** A span with more than a page of entries is read in pieces of the next length, several at once. */
const pieces = [dayMilliseconds, hourMilliseconds, 5 * 60 * 1000];

/** Calls `take` with every entry of the span, in no order, a page at a time. */
export async function readSpan(
  deps: ReportDeps,
  ledger: string,
  span: Span,
  take: (entries: readonly UsedEntry[]) => void,
): Promise<void> {
  if (span.to <= span.from) return;
  const { entries, last } = await readPage(deps, ledger, span);
  if (!last) return take(entries);
  const length = pieces.find((piece) => piece < span.to - span.from);
  if (length === undefined) return readOn(deps, ledger, span, take, { entries, last });
  const reading: Promise<void>[] = [];
  for (let from = span.from; from < span.to; from += length)
    reading.push(readSpan(deps, ledger, { from, to: Math.min(from + length, span.to) }, take));
  await Promise.all(reading);
}

/** Takes a page, then reads the pages after it one by one. */
async function readOn(
  deps: ReportDeps,
  ledger: string,
  span: Span,
  take: (entries: readonly UsedEntry[]) => void,
  first: { entries: UsedEntry[]; last?: Item },
): Promise<void> {
  let page = first;
  take(page.entries);
  while (page.last) {
    page = await readPage(deps, ledger, span, page.last);
    take(page.entries);
  }
}

/** Undefined if the span has more entries than a page. */
export async function readIfOnePage(
  deps: ReportDeps,
  ledger: string,
  span: Span,
): Promise<UsedEntry[] | undefined> {
  const { entries, last } = await readPage(deps, ledger, span);
  return last ? undefined : entries;
}

async function readPage(deps: ReportDeps, ledger: string, span: Span, start?: Item) {
  const release = await deps.reads.take();
  try {
    deps.checkTime();
    return await queryUsed(deps, ledger, span, start && { start });
  } finally {
    release();
  }
}

/** When the first entry of the ledger was written; undefined if it has none. */
export async function firstEntryAt(deps: ReportDeps, ledger: string): Promise<number | undefined> {
  const { entries } = await queryUsed(deps, ledger, { from: 0, to: endOfTime }, { limit: 1 });
  return entries[0] && Date.parse(entries[0].at);
}
