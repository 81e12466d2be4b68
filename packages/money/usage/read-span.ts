import type { Item } from '@errand/platform';
import type { ReportDeps } from './deps.ts';
import { queryUsed } from './entries-store.ts';
import type { UsedEntry } from './tally.ts';
import { endOfTime, type Span } from './times.ts';

/** The most pieces that a span is cut into at once. */
const mostPieces = 64;

/** Entries of a span from its beginning on. `last` is there if there are more. */
interface Page {
  entries: UsedEntry[];
  last?: Item;
}

/**
 * Calls `take` with every entry of the span, in no order, a page at a time. `known` is the first page of a span that begins
 * at the same time, if that is read already.
 */
export async function readSpan(
  deps: ReportDeps,
  ledger: string,
  span: Span,
  take: (entries: readonly UsedEntry[]) => void,
  known?: Page,
): Promise<void> {
  if (span.to <= span.from) return;
  const { entries, last } = known ?? (await readPage(deps, ledger, span));
  const lastAt = entries.at(-1)?.at;
  if (!last || lastAt === undefined) return take(entries);
  const from = Date.parse(lastAt);
  if (from >= span.to) return take(entries.filter(({ at }) => Date.parse(at) < span.to));
  if (from === span.from) return readOn(deps, ledger, span, take, { entries, last });
  // The next page may have more entries of the same millisecond.
  take(entries.filter(({ at }) => at < lastAt));
  await readPieces(deps, ledger, { from, to: span.to }, from - span.from, take);
}

/** Reads the span in pieces of about a page, several at once. */
async function readPieces(
  deps: ReportDeps,
  ledger: string,
  { from, to }: Span,
  millisecondsPerPage: number,
  take: (entries: readonly UsedEntry[]) => void,
): Promise<void> {
  const pages = (to - from) / millisecondsPerPage;
  // A piece that is somewhat less than a page needs no second one.
  const count = Math.min(mostPieces, Math.ceil(pages * 1.2));
  const length = Math.ceil((to - from) / count);
  const reading: Promise<void>[] = [];
  for (let start = from; start < to; start += length)
    reading.push(readSpan(deps, ledger, { from: start, to: Math.min(start + length, to) }, take));
  await Promise.all(reading);
}

/** Takes a page, then reads the pages after it one by one. */
async function readOn(
  deps: ReportDeps,
  ledger: string,
  span: Span,
  take: (entries: readonly UsedEntry[]) => void,
  first: Page,
): Promise<void> {
  let page = first;
  take(page.entries);
  while (page.last) {
    page = await readPage(deps, ledger, span, page.last);
    take(page.entries);
  }
}

export async function readPage(deps: ReportDeps, ledger: string, span: Span, start?: Item): Promise<Page> {
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
