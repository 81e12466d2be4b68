import type { NamedWrite } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import { contentNumber, type SkillContent, type SkillRow, type StoredSkill } from './skill.ts';

/** Writes both copies of a new row and of its first content. Condition: `name-free`. */
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
    currentWrite(deps, { row, content }),
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

const currentWrite = (deps: StoreDeps, { row, content }: StoredSkill): NamedWrite => ({
  Put: {
    TableName: deps.tables.skills,
    Item: { ...content, id: row.id, ...itemKeys.current(row.owner, row.name) },
  },
});

/** Writes a skill's next state. Conditions: `skill-unchanged` since it was read and, if renamed, `name-free`. */
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
    ...(renamed ? nameDeletes(deps, before.row) : []),
    ...(published ? [contentWrite(deps, id, after.content)] : []),
    ...(published || renamed ? [currentWrite(deps, after)] : []),
  ];
}

/** Deletes what lies under a skill's name. */
const nameDeletes = ({ tables }: StoreDeps, { owner, name }: SkillRow): NamedWrite[] =>
  [itemKeys.name(owner, name), itemKeys.current(owner, name)].map((Key) => ({
    Delete: { TableName: tables.skills, Key },
  }));

/** Deletes the row and what lies under its name, and writes the mark for `sweepOwner`. Condition: `skill-unchanged`. */
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
    ...nameDeletes(deps, row),
    {
      Put: {
        TableName,
        Item: { id: row.id, highest: contentNumber(row), ...itemKeys.sweep(row.owner, row.id) },
      },
    },
  ];
}
