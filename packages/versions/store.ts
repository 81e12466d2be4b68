import {
  backOff,
  batchGet,
  ConditionsFailed,
  getItem,
  type Item,
  limits,
  queryAll,
  queryPage,
  queryPages,
  updateItem,
} from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { contentSortKey, itemKeys } from './item-keys.ts';
import type { KindKeys } from './kind.ts';
import {
  type CurrentContent,
  contentNumber,
  type Named,
  type Numbered,
  type Row,
  type Stored,
} from './stored.ts';

const isId = ({ noun }: KindKeys, id: string): boolean =>
  id.startsWith(`${noun}_`) && /^_[0-9A-Za-z]{20}$/.test(id.slice(noun.length));

const maxTornReads = 8;

/** The mark of a deleted thing, with the highest number of the contents that may still exist. */
export interface Sweep {
  id: string;
  highest: number;
}

/** A malformed id gives undefined without a DynamoDB request. */
export async function readRow(deps: StoreDeps, kind: KindKeys, id: string): Promise<Row | undefined> {
  if (!isId(kind, id)) return undefined;
  return getItem(deps, deps.tables.skills, itemKeys(kind).row(id));
}

export const readContent = <Content>(
  deps: StoreDeps,
  kind: KindKeys,
  id: string,
  number: number,
): Promise<Numbered<Content> | undefined> =>
  getItem(deps, deps.tables.skills, itemKeys(kind).content(id, number));

/**
 * A thing and its current content, in one request. A query may see half of a running transaction. In that case the
 * content is read by its number and, if it is missing, the whole read is repeated.
 */
export async function readStored<Content>(
  deps: StoreDeps,
  kind: KindKeys,
  id: string,
): Promise<Stored<Content> | undefined> {
  if (!isId(kind, id)) return undefined;
  const { pk, sk } = itemKeys(kind).row(id);
  for (let attempt = 1; attempt <= maxTornReads; attempt++) {
    const { items } = await queryPage(deps, {
      TableName: deps.tables.skills,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ScanIndexForward: false,
      Limit: 2,
    });
    const [last, beforeLast] = items;
    if (last?.sk !== sk) return undefined;
    const row = last as unknown as Row;
    const latest = beforeLast as Numbered<Content> | undefined;
    const number = contentNumber(row);
    const content = latest?.number === number ? latest : await readContent<Content>(deps, kind, id, number);
    if (content) return { row, content };
    await backOff(deps, attempt);
  }
  throw new Error(`a ${kind.noun} has no content`);
}

/**
 * The things of one name: one for each owner that has one so named, in the owners' order. One request. With
 * `contents` it brings the copies of their current contents.
 */
export async function readNamed<Content>(
  deps: StoreDeps,
  kind: KindKeys,
  owners: readonly string[],
  name: string,
  contents: boolean,
): Promise<Named<Content>[]> {
  const keys = itemKeys(kind);
  const names = owners.map((owner) => keys.name(owner, name));
  const copies = contents ? owners.map((owner) => keys.current(owner, name)) : [];
  const found = await batchGet(deps, deps.tables.skills, [...names, ...copies]);
  const find = (key: Item): Item | undefined => found.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
  return owners.flatMap((owner) => {
    const row = find(keys.name(owner, name)) as Row | undefined;
    const copy = find(keys.current(owner, name)) as CurrentContent<Content> | undefined;
    if (!row) return [];
    return [{ row, ...(copy?.id === row.id && { content: copy }) }];
  });
}

/** Everything of an owner, sorted by name. */
export const queryOwned = (deps: StoreDeps, kind: KindKeys, owner: string): Promise<Row[]> =>
  queryByPrefix(deps, itemKeys(kind).name(owner, ''));

/** The marks of this owner's deleted things whose contents are not all removed yet. */
export const querySweeps = (deps: StoreDeps, kind: KindKeys, owner: string): Promise<Sweep[]> =>
  queryByPrefix(deps, itemKeys(kind).sweep(owner, ''));

const queryByPrefix = <T>(deps: StoreDeps, { pk, sk }: { pk: string; sk: string }): Promise<T[]> =>
  queryAll<T>(deps, {
    TableName: deps.tables.skills,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
  });

/**
 * The published versions from `oldest` to `newest`, newest first, or the newest of them: the store reads whole contents, whatever is
 * asked of them.
 */
export async function queryVersions<Record>(
  deps: StoreDeps,
  kind: KindKeys & { recorded: readonly string[] },
  id: string,
  oldest: number,
  newest: number,
): Promise<Record[]> {
  const pages = queryPages<Record>(deps, {
    TableName: deps.tables.skills,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    ProjectionExpression: ['#number', ...kind.recorded, 'createdAt'].join(', '),
    ExpressionAttributeNames: { '#number': 'number' },
    ExpressionAttributeValues: {
      ':pk': itemKeys(kind).row(id).pk,
      ':oldest': contentSortKey(oldest),
      ':newest': contentSortKey(newest),
    },
    ScanIndexForward: false,
  });
  const versions: Record[] = [];
  let reads = 0;
  for await (const page of pages) {
    versions.push(...page);
    if (++reads === limits.versionsPageReads) break;
  }
  return versions;
}

/** False if another sweep has removed the mark meanwhile: the update must not create it again. */
export async function moveSweep(
  deps: StoreDeps,
  kind: KindKeys,
  owner: string,
  id: string,
  highest: number,
): Promise<boolean> {
  try {
    await updateItem(deps, {
      condition: 'sweep-unfinished',
      TableName: deps.tables.skills,
      Key: itemKeys(kind).sweep(owner, id),
      UpdateExpression: 'SET highest = :highest',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':highest': highest },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}
