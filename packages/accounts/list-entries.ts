import { decodeCursor, encodeCursor, type Item } from '@errand/platform';
import * as v from 'valibot';
import type { StoreDeps } from './deps.ts';
import { type LedgerEntry, type LedgerOwner, ledgerOf } from './ledger.ts';
import { type LedgerPosition, queryLedger, queryWholeLedger } from './store.ts';

export interface EntriesPage {
  entries: LedgerEntry[];
  /** Where the next page starts; absent on the last page. */
  cursor?: string;
}

/** One page of the ledger, newest entry first. Throws `invalid_request` for a malformed cursor. */
export async function listEntries(
  deps: StoreDeps,
  owner: LedgerOwner,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<EntriesPage> {
  const { items, last } = await queryLedger(deps, ledgerOf(owner), {
    limit,
    ...(cursor !== undefined && { after: decodeCursor(cursor, readPosition, 'is not a cursor') }),
  });
  return {
    entries: items.map(toEntry),
    ...(last && { cursor: encodeCursor(JSON.stringify([last.at, last.id])) }),
  };
}

/** Every entry of the ledger, newest first. */
export const listAllEntries = async (deps: StoreDeps, owner: LedgerOwner): Promise<LedgerEntry[]> =>
  (await queryWholeLedger(deps, ledgerOf(owner))).map(toEntry);

function toEntry(item: Item): LedgerEntry {
  const { pk: _pk, sk, ledger: _ledger, ...entry } = item;
  return { id: sk, ...entry } as LedgerEntry;
}

const filled = v.pipe(v.string(), v.nonEmpty());
const positionSchema = v.pipe(v.string(), v.parseJson(), v.tuple([filled, filled]));

function readPosition(position: string): LedgerPosition | undefined {
  const { success, output } = v.safeParse(positionSchema, position);
  return success ? { at: output[0], id: output[1] } : undefined;
}
