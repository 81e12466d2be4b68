import { DomainError, type Item } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { type LedgerEntry, type LedgerOwner, ledgerOf } from './ledger.ts';
import { type LedgerPosition, queryLedger, queryWholeLedger } from './store.ts';

export interface EntriesPage {
  entries: LedgerEntry[];
  /** Where the next page starts; absent on the last page. */
  cursor?: string;
}

/** One page of the ledger, newest entry first. Throws `invalid_request` for a cursor that no page has had. */
export async function listEntries(
  deps: StoreDeps,
  owner: LedgerOwner,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<EntriesPage> {
  const { items, last } = await queryLedger(deps, ledgerOf(owner), {
    limit,
    ...(cursor !== undefined && { after: decodePosition(cursor) }),
  });
  return { entries: items.map(toEntry), ...(last && { cursor: encodePosition(last) }) };
}

/** Every entry of the ledger, newest first. */
export const listAllEntries = async (deps: StoreDeps, owner: LedgerOwner): Promise<LedgerEntry[]> =>
  (await queryWholeLedger(deps, ledgerOf(owner))).map(toEntry);

function toEntry(item: Item): LedgerEntry {
  const { pk: _pk, sk, ledger: _ledger, ...entry } = item;
  return { id: sk, ...entry } as LedgerEntry;
}

const encodePosition = ({ at, id }: LedgerPosition) =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

function decodePosition(cursor: string): LedgerPosition {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (typeof at === 'string' && typeof id === 'string' && at && id) return { at, id };
  } catch {
    // Text that is not JSON is refused below, as JSON that is not a position is.
  }
  throw new DomainError('invalid_request', { issues: [{ field: 'cursor', problem: 'is not a cursor' }] });
}
