import { decodeCursor, encodeCursor, fieldIssue, type Item, toIso } from '@errand/platform';
import * as v from 'valibot';
import type { Payer } from './charge.ts';
import type { StoreDeps } from './deps.ts';
import { type LedgerEntry, type LedgerOwner, ledgerOf } from './ledger.ts';
import { type LedgerPosition, queryEntries, queryLedger, queryWholeLedger } from './store.ts';
import { endOfTime } from './usage/times.ts';

interface EntriesPage {
  entries: LedgerEntry[];
  /** Where the next page starts; absent on the last page. */
  cursor?: string;
}

interface EntriesQuery {
  limit: number;
  cursor?: string;
  /** Only entries that were written from this time on, in milliseconds since the epoch. */
  from?: number;
  /** Exclusive. */
  to?: number;
}

/**
 * One page of the ledger, newest entry first. Throws `invalid_request` for a cursor that does not belong to this
 * listing.
 */
export async function listEntries(
  deps: StoreDeps,
  owner: LedgerOwner,
  { limit, cursor, from = 0, to = endOfTime }: EntriesQuery,
): Promise<EntriesPage> {
  const end = Math.min(to, endOfTime);
  if (end <= from) return { entries: [] };
  const span = { first: toIso(from), last: toIso(end - 1) };
  const after = cursor === undefined ? undefined : decodeCursor(cursor, readPosition, 'is not a cursor');
  if (after && (after.at < span.first || after.at > span.last))
    throw fieldIssue('cursor', 'is not of these times');
  const { items, last } = await queryLedger(deps, ledgerOf(owner), { limit, span, after });
  return {
    entries: items.map(toEntry),
    cursor: last && encodeCursor(JSON.stringify([last.at, last.id])),
  };
}

/** Every entry of the ledger, newest first. */
export const listAllEntries = async (deps: StoreDeps, owner: LedgerOwner): Promise<LedgerEntry[]> =>
  (await queryWholeLedger(deps, ledgerOf(owner))).map(toEntry);

/** The entries of a run's charges, by their ids. */
export const listChargesOfRun = async (
  deps: StoreDeps,
  payer: Payer,
  agentId: string,
): Promise<LedgerEntry[]> => (await queryEntries(deps, ledgerOf(payer), `${agentId}:`)).map(toEntry);

function toEntry(item: Item): LedgerEntry {
  const { pk: _pk, sk, ledger: _ledger, doneAt, at: writtenAt, ...entry } = item;
  const times = doneAt === undefined ? { at: writtenAt } : { at: doneAt, writtenAt };
  return { id: sk, ...times, ...entry } as LedgerEntry;
}

const filled = v.pipe(v.string(), v.nonEmpty());
const positionSchema = v.pipe(v.string(), v.parseJson(), v.tuple([filled, filled]));

function readPosition(position: string): LedgerPosition | undefined {
  const { success, output } = v.safeParse(positionSchema, position);
  return success ? { at: output[0], id: output[1] } : undefined;
}
