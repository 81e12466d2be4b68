import type { NamedWrite } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import { contentNumber, type SkillContent, type SkillRow, type StoredSkill } from './skill.ts';

/** Both copies of a new row, and its first content. Refused with `name-free`. */
export function insertWrites(deps: StoreDeps, { row, content }: StoredSkill): NamedWrite[] {
  const TableName = deps.tables.skills;
  const absent = 'attribute_not_exists(pk)';
  return [
    {
      condition: 'skill-new',
      Put: { TableName, Item: { ...row, ...itemKeys.skill(row.id) }, ConditionExpression: absent },
    },
    {
      condition: 'name-free',
      Put: {
        TableName,
        Item: { ...row, ...itemKeys.name(row.owner, row.name) },
        ConditionExpression: absent,
      },
    },
    contentWrite(deps, row.id, content),
  ];
}

function contentWrite(deps: StoreDeps, id: string, content: SkillContent): NamedWrite {
  return {
    condition: 'version-new',
    Put: {
      TableName: deps.tables.skills,
      Item: { ...content, ...itemKeys.content(id, content.number) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** From one state of a skill to the next. Refused with `skill-unchanged` (someone was faster) or `name-free`. */
export function replaceWrites(deps: StoreDeps, before: StoredSkill, after: StoredSkill): NamedWrite[] {
  const TableName = deps.tables.skills;
  const { id, owner, name } = after.row;
  const renamed = name !== before.row.name;
  const published = after.content.number !== before.content.number;
  const named = { TableName, Item: { ...after.row, ...itemKeys.name(owner, name) } };
  return [
    {
      condition: 'skill-unchanged',
      Put: {
        TableName,
        Item: { ...after.row, ...itemKeys.skill(id) },
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': before.row.revision },
      },
    },
    renamed
      ? { condition: 'name-free', Put: { ...named, ConditionExpression: 'attribute_not_exists(pk)' } }
      : { Put: named },
    ...(renamed ? [{ Delete: { TableName, Key: itemKeys.name(owner, before.row.name) } }] : []),
    ...(published ? [contentWrite(deps, id, after.content)] : []),
  ];
}

/** Takes a skill out of reach, frees its name, and leaves word of the contents to remove. */
export function removeWrites(deps: StoreDeps, row: SkillRow): NamedWrite[] {
  const TableName = deps.tables.skills;
  return [
    {
      condition: 'skill-unchanged',
      Delete: {
        TableName,
        Key: itemKeys.skill(row.id),
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': row.revision },
      },
    },
    { Delete: { TableName, Key: itemKeys.name(row.owner, row.name) } },
    {
      Put: {
        TableName,
        Item: { id: row.id, highest: contentNumber(row), ...itemKeys.sweep(row.owner, row.id) },
      },
    },
  ];
}
