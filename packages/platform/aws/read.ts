import {
  type DynamoDBDocumentClient,
  GetCommand,
  paginateScan,
  QueryCommand,
  type QueryCommandInput,
  type ScanCommandInput,
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

interface QueryPage<T> {
  items: T[];
  /** The `ExclusiveStartKey` of the next page; absent on the last page. */
  last?: Item;
}

/** One page of a query, strongly consistent unless an index is read. A page ends after `Limit` items or 1 MB. */
export async function queryPage<T = Item>(deps: ReadDeps, query: QueryCommandInput): Promise<QueryPage<T>> {
  const { Items = [], LastEvaluatedKey: last } = await deps.dynamodb.send(
    new QueryCommand({ ConsistentRead: query.IndexName === undefined, ...query }),
  );
  return { items: Items as T[], last };
}

/** Every page of a query, read as the pages are taken. */
export async function* queryPages<T = Item>(deps: ReadDeps, query: QueryCommandInput): AsyncGenerator<T[]> {
  let start: Item | undefined;
  do {
    const page = await queryPage<T>(deps, { ...query, ...(start && { ExclusiveStartKey: start }) });
    yield page.items;
    start = page.last;
  } while (start);
}

/** Every item of a query, in as many requests as it has pages. */
export async function queryAll<T = Item>(deps: ReadDeps, query: QueryCommandInput): Promise<T[]> {
  const items: T[] = [];
  for await (const page of queryPages<T>(deps, query)) for (const item of page) items.push(item);
  return items;
}

/** Every page of a scan, strongly consistent, read as the pages are taken. It reads the whole table. */
export async function* scanPages<T = Item>(deps: ReadDeps, scan: ScanCommandInput): AsyncGenerator<T[]> {
  const pages = paginateScan({ client: deps.dynamodb }, { ConsistentRead: true, ...scan });
  for await (const { Items = [] } of pages) yield Items as T[];
}
