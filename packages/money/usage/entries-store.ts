import { type Item, queryPage, tableDefinitions, toIso } from '@errand/platform';
import type { StoreDeps } from '../deps.ts';
import { type UsedEntry, usageAttributes } from './tally.ts';
import type { Span } from './times.ts';

const names = Object.fromEntries(usageAttributes.map((name, i) => [`#${i}`, name]));

/** One page of the entries that were written in the span, oldest first. A page ends after 1 MB of entries. */
export async function queryUsed(
  { dynamodb, tables }: StoreDeps,
  ledger: string,
  { from, to }: Span,
  options: { limit?: number; start?: Item } = {},
): Promise<{ entries: UsedEntry[]; last?: Item }> {
  const { items, last } = await queryPage<UsedEntry>(
    { dynamodb },
    {
      TableName: tables.accounts,
      IndexName: tableDefinitions.accounts.indexes[0].name,
      KeyConditionExpression: 'ledger = :ledger AND #0 BETWEEN :first AND :last',
      ProjectionExpression: Object.keys(names).join(),
      ExpressionAttributeNames: names,
      // Times have milliseconds, and BETWEEN has both its ends.
      ExpressionAttributeValues: { ':ledger': ledger, ':first': toIso(from), ':last': toIso(to - 1) },
      Limit: options.limit,
      ExclusiveStartKey: options.start,
    },
  );
  return { entries: items, last };
}
