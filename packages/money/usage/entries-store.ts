import { type Item, queryPage, tableDefinitions, toIso } from '@errand/platform';
import type { StoreDeps } from '../deps.ts';
import { type UsedEntry, usageAttributes } from './tally.ts';
import type { Span } from './times.ts';

const names = {
  ...Object.fromEntries(usageAttributes.map((name, i) => [`#${i}`, name])),
  '#name': 'name' satisfies keyof NonNullable<UsedEntry['skill']>,
};

/** Of a skill, only its name. */
const projection = usageAttributes.map((name, i) => (name === 'skill' ? `#${i}.#name` : `#${i}`)).join();

/** About a megabyte of them. */
const pageEntries = 1_500;

/** One page of the entries that were written in the span, oldest first. */
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
      ProjectionExpression: projection,
      ExpressionAttributeNames: names,
      // Times have milliseconds, and BETWEEN has both its ends.
      ExpressionAttributeValues: { ':ledger': ledger, ':first': toIso(from), ':last': toIso(to - 1) },
      Limit: options.limit ?? pageEntries,
      ExclusiveStartKey: options.start,
    },
  );
  return { entries: items, last };
}
