import {
  backOff,
  batchGet,
  ConditionsFailed,
  getItem,
  type Item,
  queryAll,
  queryPage,
  updateItem,
} from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { contentSortKey, itemKeys, namePrefix, sweepPrefix } from './item-keys.ts';
import {
  type CurrentContent,
  contentNumber,
  type NamedSkill,
  type SkillContent,
  type SkillRow,
  type StoredSkill,
  type VersionRecord,
} from './skill.ts';

const skillId = /^skill_[0-9A-Za-z]{20}$/;

const maxTornReads = 8;

/** The mark of a deleted skill, with the highest number of the contents that may still exist. */
export interface Sweep {
  id: string;
  highest: number;
}

/** A skill's row. A malformed id gives undefined without a DynamoDB request. */
export async function readRow(deps: StoreDeps, id: string): Promise<SkillRow | undefined> {
  if (!skillId.test(id)) return undefined;
  return getItem(deps, deps.tables.skills, itemKeys.skill(id));
}

export const readContent = (deps: StoreDeps, id: string, number: number): Promise<SkillContent | undefined> =>
  getItem(deps, deps.tables.skills, itemKeys.content(id, number));

/**
 * A skill and its current content, in one request. A query may see half of a running transaction. In that case the
 * content is read by its number and, if it is missing, the whole read is repeated.
 */
export async function readSkill(deps: StoreDeps, id: string): Promise<StoredSkill | undefined> {
  if (!skillId.test(id)) return undefined;
  const { pk, sk } = itemKeys.skill(id);
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
    const row = last as unknown as SkillRow;
    const latest = beforeLast as SkillContent | undefined;
    const number = contentNumber(row);
    const content = latest?.number === number ? latest : await readContent(deps, id, number);
    if (content) return { row, content };
    await backOff(deps, attempt);
  }
  throw new Error('a skill has no content');
}

/**
 * The skills of one name: one for each owner that has a skill so named, in the owners' order. One request. With
 * `contents` it brings the copies of their current contents.
 */
export async function readNamed(
  deps: StoreDeps,
  owners: readonly string[],
  name: string,
  contents: boolean,
): Promise<NamedSkill[]> {
  const names = owners.map((owner) => itemKeys.name(owner, name));
  const copies = contents ? owners.map((owner) => itemKeys.current(owner, name)) : [];
  const found = await batchGet(deps, deps.tables.skills, [...names, ...copies]);
  const find = (key: Item): Item | undefined => found.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
  return owners.flatMap((owner) => {
    const row = find(itemKeys.name(owner, name)) as SkillRow | undefined;
    const copy = find(itemKeys.current(owner, name)) as CurrentContent | undefined;
    if (!row) return [];
    return [{ row, ...(copy?.id === row.id && { content: copy }) }];
  });
}

/** Every skill of an owner, sorted by name. */
export const queryOwned = (deps: StoreDeps, owner: string): Promise<SkillRow[]> =>
  queryByPrefix(deps, owner, namePrefix);

/** The marks of this owner's deleted skills whose contents are not all removed yet. */
export const querySweeps = (deps: StoreDeps, owner: string): Promise<Sweep[]> =>
  queryByPrefix(deps, owner, sweepPrefix);

const queryByPrefix = <T>(deps: StoreDeps, pk: string, prefix: string): Promise<T[]> =>
  queryAll<T>(deps, {
    TableName: deps.tables.skills,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });

/** The published versions from `oldest` to `newest`, newest first. */
export const queryVersions = (
  deps: StoreDeps,
  id: string,
  oldest: number,
  newest: number,
): Promise<VersionRecord[]> =>
  queryAll<VersionRecord>(deps, {
    TableName: deps.tables.skills,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    ProjectionExpression: '#number, contentHash, injectedTokens, createdAt',
    ExpressionAttributeNames: { '#number': 'number' },
    ExpressionAttributeValues: {
      ':pk': itemKeys.skill(id).pk,
      ':oldest': contentSortKey(oldest),
      ':newest': contentSortKey(newest),
    },
    ScanIndexForward: false,
  });

/** False if another sweep has removed the mark meanwhile: the update must not create it again. */
export async function moveSweep(
  deps: StoreDeps,
  owner: string,
  id: string,
  highest: number,
): Promise<boolean> {
  try {
    await updateItem(deps, {
      condition: 'sweep-unfinished',
      TableName: deps.tables.skills,
      Key: itemKeys.sweep(owner, id),
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
