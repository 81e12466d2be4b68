import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from './conditions.ts';

interface ReadDeps {
  dynamodb: DynamoDBDocumentClient;
}

/** The item of this key, strongly consistent; undefined if there is none. */
export async function getItem<T = Item>(deps: ReadDeps, table: string, key: Item): Promise<T | undefined> {
  const { Item: item } = await deps.dynamodb.send(
    new GetCommand({ TableName: table, Key: key, ConsistentRead: true }),
  );
  return item as T | undefined;
}

export interface QueryPage<T> {
  items: T[];
  /** The `ExclusiveStartKey` of the next page; absent on the last page. */
  last?: Item;
}

/** One page of a query, strongly consistent unless an index is read. A page ends after `Limit` items or 1 MB. */
export async function queryPage<T = Item>(deps: ReadDeps, query: QueryCommandInput): Promise<QueryPage<T>> {
  const { Items = [], LastEvaluatedKey: last } = await deps.dynamodb.send(
    new QueryCommand({ ConsistentRead: query.IndexName === undefined, ...query }),
  );
  return { items: Items as T[], ...(last && { last }) };
}

/** Every item of a query, in as many requests as it has pages. */
export async function queryAll<T = Item>(deps: ReadDeps, query: QueryCommandInput): Promise<T[]> {
  const items: T[] = [];
  let start: Item | undefined;
  do {
    const page = await queryPage<T>(deps, { ...query, ...(start && { ExclusiveStartKey: start }) });
    for (const item of page.items) items.push(item);
    start = page.last;
  } while (start);
  return items;
}
