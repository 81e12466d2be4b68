import type { Discrepancy } from '@errand/platform';
import type { TimedStoreDeps } from '../deps.ts';
import { ledgerOf } from '../ledger.ts';
import { type ReportDeps, startReport } from './deps.ts';
import { unpackGroups, writeTally } from './pack.ts';
import { readSpan } from './read-span.ts';
import { addEntry, addGroup, sumHours, type Tally } from './tally.ts';
import { endOfTime, hourMilliseconds } from './times.ts';
import { readDays, readHours, rolledLedgers, type StoredDay } from './usage-store.ts';

/** Yields each rolled-up day that is not what its ledger has: of one account's ledger, or of all. Only reads. */
export async function* checkRollUps(deps: TimedStoreDeps, accountId?: string): AsyncGenerator<Discrepancy> {
  const report = startReport(deps, { patienceMilliseconds: Infinity });
  if (accountId !== undefined) return yield* checkLedger(report, ledgerOf({ accountId }));
  for await (const ledger of rolledLedgers(deps)) yield* checkLedger(report, ledger);
}

async function* checkLedger(deps: ReportDeps, ledger: string): AsyncGenerator<Discrepancy> {
  const { days, parts } = await readDays(deps, ledger, [0, endOfTime - 1]);
  const id = ledger.slice(ledgerOf({ accountId: '' }).length);
  for (const [day, stored] of days) {
    const sums = parts.get(stored.digest) ?? [];
    if (sums.length === stored.dayParts && (await agrees(deps, ledger, Date.parse(day), stored, sums)))
      continue;
    yield {
      of: id.startsWith('organisation') ? 'organisation' : 'account',
      id,
      problem: `The roll-up of ${day} is not what the ledger has.`,
    };
  }
}

async function agrees(
  deps: ReportDeps,
  ledger: string,
  day: number,
  { untilHour, digest, hoursParts }: StoredDay,
  sums: readonly Uint8Array[],
): Promise<boolean> {
  const parts = (await readHours(deps, ledger, [day, day])).get(digest);
  if (parts?.length !== hoursParts) return false;
  const counted: Tally = new Map();
  await readSpan(deps, ledger, { from: day, to: day + untilHour * hourMilliseconds }, (entries) => {
    for (const entry of entries) addEntry(counted, entry);
  });
  return toText(parts) === writeTally(counted) && toText(sums) === writeTally(sumHours(counted.values()));
}

function toText(parts: readonly Uint8Array[]): string {
  const tally: Tally = new Map();
  for (const [hour, subject, sums] of unpackGroups(parts)) addGroup(tally, hour, subject, sums);
  return writeTally(tally);
}
