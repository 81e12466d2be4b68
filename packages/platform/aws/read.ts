import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { delay } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Item } from './attributes.ts';

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

/**
 * The embedded DynamoDB (1.2.1) loads all that matches before it cuts a page after 1 MB, unless it is told how many items
 * a page has. Without a number, each page would cost more, the more is kept.
 */
const Limit = limits.storePageItems;

/** One page of a query, strongly consistent unless an index is read. A page ends after `Limit` items or 1 MB. */
export async function queryPage<T = Item>(deps: ReadDeps, query: QueryCommandInput): Promise<QueryPage<T>> {
  const command = new QueryCommand({
    ConsistentRead: query.IndexName === undefined,
    ...query,
    Limit: query.Limit ?? Limit,
  });
  const { Items = [], LastEvaluatedKey: last } = await deps.dynamodb.send(command);
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
  let start: Item | undefined;
  do {
    const page = await scanPage<T>(deps, { ...scan, ExclusiveStartKey: start });
    yield page.items;
    start = page.last;
  } while (start);
}

async function scanPage<T>(
  deps: ReadDeps,
  scan: ScanCommandInput,
  abortSignal?: AbortSignal,
): Promise<QueryPage<T>> {
  const command = new ScanCommand({ ConsistentRead: true, ...scan, Limit: scan.Limit ?? Limit });
  const { Items = [], LastEvaluatedKey: last } = await deps.dynamodb.send(
    command,
    abortSignal && { abortSignal },
  );
  return { items: Items as T[], last };
}

interface Pace {
  /** Ends the scan with its reason. */
  signal: AbortSignal;
  /** Is told of a page that could not be read. It is read again after a pause. */
  onError(error: unknown): void;
  /** Replaced in tests. */
  wait?: typeof delay;
}

const smallest = 4;
const largest = 200;
const pageMilliseconds = 5;
const retryMilliseconds = 5_000;

/**
 * Every page of a scan, as `scanPages` reads them, in the background: in small pages, with pauses twice as long as the page
 * before took. Whoever else asks a store that does one thing at a time waits for one small page at most.
 */
export async function* scanInBackground<T = Item>(
  deps: ReadDeps,
  scan: ScanCommandInput,
  { signal, onError, wait = delay }: Pace,
): AsyncGenerator<T[]> {
  let start: Item | undefined;
  let size = smallest;
  for (;;) {
    signal.throwIfAborted();
    const begun = performance.now();
    let page: QueryPage<T>;
    try {
      page = await scanPage<T>(deps, { ...scan, Limit: size, ExclusiveStartKey: start }, signal);
    } catch (error) {
      signal.throwIfAborted();
      onError(error);
      await wait(retryMilliseconds, signal);
      continue;
    }
    const took = performance.now() - begun;
    yield page.items;
    start = page.last;
    if (!start) return;
    await wait(Math.max(2 * took, pageMilliseconds), signal);
    // Items differ in size, and so does the machine's load.
    const fitting = Math.round((size * pageMilliseconds) / Math.max(took, 0.1));
    size = Math.min(largest, Math.max(smallest, Math.min(fitting, 2 * size)));
  }
}
