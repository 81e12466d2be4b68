import { byStatus, type TableNames } from '../tables.ts';
import { batchGet } from './batch.ts';
import { queryPages } from './read.ts';

type ReadDeps = Parameters<typeof batchGet>[0] & { tables: TableNames };

type ItemKey = { pk: string; sk: string };

/** The most keys that one read takes. */
const keysAtOnce = 100;

/**
 * The items of the table `Runs` that have one of these statuses and a partition key with this prefix, a page at a time. It
 * reads an index that only the service on one machine has.
 */
export async function* itemsByStatus<T>(
  deps: ReadDeps,
  prefix: string,
  statuses: readonly string[],
): AsyncGenerator<(T & ItemKey)[]> {
  for (const status of statuses) {
    const pages = queryPages<ItemKey>(deps, {
      TableName: deps.tables.runs,
      IndexName: byStatus.name,
      KeyConditionExpression: '#status = :status',
      ProjectionExpression: 'pk, sk',
      ExpressionAttributeNames: { '#status': byStatus.partitionKey },
      ExpressionAttributeValues: { ':status': status },
      Limit: keysAtOnce,
    });
    for await (const page of pages)
      yield await batchGet<T & ItemKey>(
        deps,
        deps.tables.runs,
        page.filter(({ pk }) => pk.startsWith(prefix)),
      );
  }
}
