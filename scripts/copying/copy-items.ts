import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet, batchPut, type Item, limits } from '@errand/platform';

/** What the target gets of an item, beside what it has under the same key. Undefined if that stays as it is. */
export type Rule = (item: Item, there: Item | undefined) => Item | undefined | Promise<Item | undefined>;

export interface Copied {
  /** Items that the target was given. */
  copied: number;
  /** Items of which the target has kept what it had. */
  kept: number;
}

interface Copying {
  from: string;
  to: string;
  rule: Rule;
  /** A file that knows how far the copying came. Within an hour, the copying goes on from where it was broken off. */
  progressFile?: string;
  onPage?(soFar: Copied): void;
}

/** Later, the table may have served meanwhile, and what was written into the part that was copied would be lost. */
const progressKeptMilliseconds = 60 * 60 * 1000;

/** As many as a batch of reads may have. */
const keysAtOnce = 100;

/** The target's own items stay. */
export const missingOnly: Rule = (item, there) => (there ? undefined : item);

/**
 * Copies what the rule says, a page of items at a time: nobody else may write the target meanwhile. What was copied may be
 * copied again, so a copying that was broken off can be repeated.
 */
export async function copyItems(
  dynamodb: DynamoDBDocumentClient,
  { from, to, rule, progressFile, onPage }: Copying,
): Promise<Copied> {
  const resumed = await readProgress(progressFile);
  const total: Copied = resumed?.total ?? { copied: 0, kept: 0 };
  const pages = paginateScan(
    { client: dynamodb, startingToken: resumed?.last },
    { TableName: from, ConsistentRead: true, Limit: limits.storePageItems },
  );
  for await (const { Items: items = [], LastEvaluatedKey: last } of pages) {
    const there = await readThere(dynamodb, to, items);
    const given: Item[] = [];
    for (const item of items) {
      const before = there.get(placeOf(item));
      const after = await rule(item, before);
      if (after && !isDeepStrictEqual(after, before)) given.push(after);
    }
    await batchPut({ dynamodb }, to, given);
    total.copied += given.length;
    total.kept += items.length - given.length;
    onPage?.(total);
    if (progressFile && last) await writeFile(progressFile, JSON.stringify({ last, total }));
  }
  if (progressFile) await rm(progressFile, { force: true });
  return total;
}

async function readProgress(file?: string): Promise<{ last: Item; total: Copied } | undefined> {
  if (file === undefined) return undefined;
  try {
    const { mtimeMs } = await stat(file);
    return Date.now() - mtimeMs > progressKeptMilliseconds
      ? undefined
      : JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // There is none, or its writer was killed in the middle: all is copied once more.
    return undefined;
  }
}

const placeOf = ({ pk, sk }: Item): string => JSON.stringify([pk, sk]);

async function readThere(
  dynamodb: DynamoDBDocumentClient,
  table: string,
  items: readonly Item[],
): Promise<Map<string, Item>> {
  const keys = items.map(({ pk, sk }) => ({ pk, sk }));
  const batches: Promise<Item[]>[] = [];
  for (let at = 0; at < keys.length; at += keysAtOnce)
    batches.push(batchGet({ dynamodb }, table, keys.slice(at, at + keysAtOnce)));
  return new Map((await Promise.all(batches)).flat().map((item) => [placeOf(item), item]));
}
