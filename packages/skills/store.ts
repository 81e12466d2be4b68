import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, delay } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys, namePrefix } from './item-keys.ts';
import { contentNumber, type SkillContent, type SkillRow, type StoredSkill } from './skill.ts';

const skillId = /^skill_[0-9A-Za-z]{20}$/;

const tornReadAttempts = 8;

/** A skill's row by id. An id of any other shape is no skill. */
export async function readRow(deps: StoreDeps, id: string): Promise<SkillRow | undefined> {
  if (!skillId.test(id)) return undefined;
  const { Item } = await deps.dynamodb.send(
    new GetCommand({ TableName: deps.tables.skills, Key: itemKeys.skill(id), ConsistentRead: true }),
  );
  return Item as SkillRow | undefined;
}

export async function readContent(
  deps: StoreDeps,
  id: string,
  number: number,
): Promise<SkillContent | undefined> {
  const { Item } = await deps.dynamodb.send(
    new GetCommand({
      TableName: deps.tables.skills,
      Key: itemKeys.content(id, number),
      ConsistentRead: true,
    }),
  );
  return Item as SkillContent | undefined;
}

/**
 * A skill and its current content, in one request. A query may see half of a transaction that is being written: then
 * the content is asked for by its number, and if it is not there either, everything once more.
 */
export async function readSkill(deps: StoreDeps, id: string): Promise<StoredSkill | undefined> {
  if (!skillId.test(id)) return undefined;
  const { pk, sk } = itemKeys.skill(id);
  for (let attempt = 1; attempt <= tornReadAttempts; attempt++) {
    const { Items = [] } = await deps.dynamodb.send(
      new QueryCommand({
        TableName: deps.tables.skills,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ScanIndexForward: false,
        Limit: 2,
        ConsistentRead: true,
      }),
    );
    const [last, beforeLast] = Items;
    if (last?.sk !== sk) return undefined;
    const row = last as SkillRow & { sk: string };
    const latest = beforeLast as SkillContent | undefined;
    const number = contentNumber(row);
    const content = latest?.number === number ? latest : await readContent(deps, id, number);
    if (content) return { row, content };
    await pauseForWriters(deps, attempt);
  }
  throw new Error('a skill has no content');
}

/** What resolution needs of one name: a row for each owner that has it, in the owners' order. One request. */
export async function readNames(
  deps: StoreDeps,
  owners: readonly string[],
  name: string,
): Promise<SkillRow[]> {
  const keys = owners.map((owner) => itemKeys.name(owner, name));
  const found = (await batchGet(deps, deps.tables.skills, keys)) as unknown as SkillRow[];
  return owners.flatMap((owner) => found.filter((row) => row.owner === owner));
}

/** Every skill of an owner, by name, without instructions. */
export const queryOwned = (deps: StoreDeps, owner: string): Promise<SkillRow[]> =>
  queryByPrefix<SkillRow>(deps, owner, namePrefix);

export async function queryByPrefix<T>(deps: StoreDeps, pk: string, prefix: string): Promise<T[]> {
  const items: T[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await deps.dynamodb.send(
      new QueryCommand({
        TableName: deps.tables.skills,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ConsistentRead: true,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    items.push(...((page.Items ?? []) as T[]));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

export async function pauseForWriters(deps: StoreDeps, attempt: number): Promise<void> {
  const most = Math.min(400, 10 * 2 ** attempt);
  await (deps.wait ?? delay)(Math.ceil(Math.random() * most));
}
