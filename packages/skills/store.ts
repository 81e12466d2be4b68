import { GetCommand, paginateQuery, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { backOff, batchGet } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys, namePrefix } from './item-keys.ts';
import { contentNumber, type SkillContent, type SkillRow, type StoredSkill } from './skill.ts';

const skillId = /^skill_[0-9A-Za-z]{20}$/;

const maxTornReads = 8;

/** A skill's row. Undefined, without a request, for an id that no skill can have. */
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
 * A skill and its current content, in one request. A query may see half of a running transaction. In that case the
 * content is read by its number and, if it is missing, the whole read is repeated.
 */
export async function readSkill(deps: StoreDeps, id: string): Promise<StoredSkill | undefined> {
  if (!skillId.test(id)) return undefined;
  const { pk, sk } = itemKeys.skill(id);
  for (let attempt = 1; attempt <= maxTornReads; attempt++) {
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
    await backOff(deps, attempt);
  }
  throw new Error('a skill has no content');
}

/** The rows of one name: one for each owner that has a skill so named, in the owners' order. One request. */
export async function readNames(
  deps: StoreDeps,
  owners: readonly string[],
  name: string,
): Promise<SkillRow[]> {
  const keys = owners.map((owner) => itemKeys.name(owner, name));
  const found = (await batchGet(deps, deps.tables.skills, keys)) as unknown as SkillRow[];
  return owners.flatMap((owner) => found.filter((row) => row.owner === owner));
}

/** Every skill of an owner, sorted by name. */
export const queryOwned = (deps: StoreDeps, owner: string): Promise<SkillRow[]> =>
  queryByPrefix<SkillRow>(deps, owner, namePrefix);

export const queryByPrefix = <T>(deps: StoreDeps, pk: string, prefix: string): Promise<T[]> =>
  queryAll<T>(deps, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });

/** Every item of a strongly consistent query, however many pages DynamoDB makes of it: a page ends after 1 MB. */
export async function queryAll<T>(
  { dynamodb, tables }: StoreDeps,
  query: Omit<QueryCommandInput, 'TableName'>,
): Promise<T[]> {
  const items: T[] = [];
  const input = { ...query, TableName: tables.skills, ConsistentRead: true };
  for await (const page of paginateQuery({ client: dynamodb }, input))
    items.push(...((page.Items ?? []) as T[]));
  return items;
}
