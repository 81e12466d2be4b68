import { limits, type NamedWrite } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import type { KindKeys } from './kind.ts';
import { contentNumber, type Numbered, type Row, type Stored } from './stored.ts';

/** Fails if the account has as many of the kind as it may have. */
export const roomForNamed = 'room-for-named';

/** What the operator makes for organisations, and for all, is not bounded. */
function countWrites({ tables }: StoreDeps, kind: KindKeys, owner: string, by: 1 | -1): NamedWrite[] {
  if (!owner.startsWith('user#')) return [];
  const counted = { TableName: tables.skills, Key: itemKeys(kind).count(owner) };
  const UpdateExpression = 'ADD things :by';
  if (by < 0) return [{ Update: { ...counted, UpdateExpression, ExpressionAttributeValues: { ':by': by } } }];
  return [
    {
      condition: roomForNamed,
      Update: {
        ...counted,
        UpdateExpression,
        ConditionExpression: 'attribute_not_exists(pk) OR things < :most',
        ExpressionAttributeValues: { ':by': by, ':most': limits.skillsPerAccount },
      },
    },
  ];
}

/** Writes both copies of a new row and of its first content. Conditions: `name-free`, `room-for-named`. */
export function insertWrites<Content>(
  deps: StoreDeps,
  kind: KindKeys,
  { row, content }: Stored<Content>,
): NamedWrite[] {
  const TableName = deps.tables.skills;
  const keys = itemKeys(kind);
  const absent = 'attribute_not_exists(pk)';
  return [
    {
      condition: `${kind.noun}-new`,
      Put: { TableName, Item: { ...row, ...keys.row(row.id) }, ConditionExpression: absent },
    },
    {
      condition: 'name-free',
      Put: {
        TableName,
        Item: { ...row, ...keys.name(row.owner, row.name) },
        ConditionExpression: absent,
      },
    },
    contentWrite(deps, kind, row.id, content),
    currentWrite(deps, kind, { row, content }),
    ...countWrites(deps, kind, row.owner, 1),
  ];
}

function contentWrite<Content>(
  deps: StoreDeps,
  kind: KindKeys,
  id: string,
  content: Numbered<Content>,
): NamedWrite {
  return {
    condition: 'version-new',
    Put: {
      TableName: deps.tables.skills,
      Item: { ...content, ...itemKeys(kind).content(id, content.number) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

const currentWrite = <Content>(
  deps: StoreDeps,
  kind: KindKeys,
  { row, content }: Stored<Content>,
): NamedWrite => ({
  Put: {
    TableName: deps.tables.skills,
    Item: { ...content, id: row.id, ...itemKeys(kind).current(row.owner, row.name) },
  },
});

/** Writes the next state. Conditions: `NOUN-unchanged` since it was read and, if renamed, `name-free`. */
export function replaceWrites<Content>(
  deps: StoreDeps,
  kind: KindKeys,
  before: Stored<Content>,
  after: Stored<Content>,
): NamedWrite[] {
  const TableName = deps.tables.skills;
  const keys = itemKeys(kind);
  const { id, owner, name } = after.row;
  const renamed = name !== before.row.name;
  const published = after.content.number !== before.content.number;
  const named = { TableName, Item: { ...after.row, ...keys.name(owner, name) } };
  return [
    {
      condition: `${kind.noun}-unchanged`,
      Put: {
        TableName,
        Item: { ...after.row, ...keys.row(id) },
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': before.row.revision },
      },
    },
    renamed
      ? { condition: 'name-free', Put: { ...named, ConditionExpression: 'attribute_not_exists(pk)' } }
      : { Put: named },
    ...(renamed ? nameDeletes(deps, kind, before.row) : []),
    ...(published ? [contentWrite(deps, kind, id, after.content)] : []),
    ...(published || renamed ? [currentWrite(deps, kind, after)] : []),
  ];
}

/** Deletes what lies under a name. */
const nameDeletes = ({ tables }: StoreDeps, kind: KindKeys, { owner, name }: Row): NamedWrite[] =>
  [itemKeys(kind).name(owner, name), itemKeys(kind).current(owner, name)].map((Key) => ({
    Delete: { TableName: tables.skills, Key },
  }));

/** Deletes the row and what lies under its name, and writes the mark for `sweepOwner`. Condition: `NOUN-unchanged`. */
export function removeWrites(deps: StoreDeps, kind: KindKeys, row: Row): NamedWrite[] {
  const TableName = deps.tables.skills;
  const keys = itemKeys(kind);
  return [
    {
      condition: `${kind.noun}-unchanged`,
      Delete: {
        TableName,
        Key: keys.row(row.id),
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': row.revision },
      },
    },
    ...nameDeletes(deps, kind, row),
    ...countWrites(deps, kind, row.owner, -1),
    {
      Put: {
        TableName,
        Item: { id: row.id, highest: contentNumber(row), ...keys.sweep(row.owner, row.id) },
      },
    },
  ];
}
