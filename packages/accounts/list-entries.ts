import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { DomainError, tableDefinitions } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { type LedgerEntry, type LedgerOwner, ledgerOf } from './ledger.ts';
import { itemKeys } from './store.ts';

export interface EntriesPage {
  entries: LedgerEntry[];
  /** Where the next page starts; absent on the last page. */
  cursor?: string;
}

/** One page of the ledger, newest entry first. Throws `invalid_request` for a cursor that no page has had. */
export async function listEntries(
  deps: StoreDeps,
  owner: LedgerOwner,
  options: { limit: number; cursor?: string },
): Promise<EntriesPage> {
  const ledger = ledgerOf(owner);
  const start = options.cursor === undefined ? undefined : decodeCursor(options.cursor);
  const page = await deps.dynamodb.send(
    new QueryCommand({
      TableName: deps.tables.accounts,
      IndexName: tableDefinitions.accounts.indexes[0].name,
      KeyConditionExpression: 'ledger = :ledger',
      ExpressionAttributeValues: { ':ledger': ledger },
      ScanIndexForward: false,
      Limit: options.limit,
      // The position holds the item's key as well as its time, so that no entry of the same instant is skipped.
      ...(start && {
        ExclusiveStartKey: { ...itemKeys.ledgerEntry(ledger, start.id), ledger, at: start.at },
      }),
    }),
  );
  const last = page.LastEvaluatedKey;
  return {
    entries: (page.Items ?? []).map(toEntry),
    ...(last && { cursor: encodeCursor({ at: last.at, id: last.sk }) }),
  };
}

function toEntry(item: Record<string, unknown>): LedgerEntry {
  const { pk: _pk, sk, ledger: _ledger, ...entry } = item;
  return { id: sk, ...entry } as LedgerEntry;
}

interface Position {
  at: string;
  id: string;
}

const encodeCursor = ({ at, id }: Position) => Buffer.from(JSON.stringify([at, id])).toString('base64url');

function decodeCursor(cursor: string): Position {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (typeof at === 'string' && typeof id === 'string' && at && id) return { at, id };
  } catch {
    // Text that is not JSON is refused below, as JSON that is not a position is.
  }
  throw new DomainError('invalid_request', { issues: [{ field: 'cursor', problem: 'is not a cursor' }] });
}
