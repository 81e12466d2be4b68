import type { Rule } from '../sent.ts';
import { type Attributes, type Operation, operationsOf, type Value } from './operations.ts';
import type { KeySchema, KnownTable } from './tables.ts';

const mostBytes = { partition: 2_048, sort: 1_024 };

/** Keys of tables and of indexes: what they have to be made of, and how long they are. */
export const keyValueProblems: Rule = (sent) =>
  operationsOf(sent).flatMap((operation) => {
    const table = sent.tables.get(operation.table);
    if (!table) return [];
    const { Key, Item, ExclusiveStartKey: start } = operation;
    return [
      ...(Key ? wholeKeyProblems(Key, [table], table, 'Key') : []),
      ...(Item ? itemProblems(Item, table) : []),
      ...(start ? wholeKeyProblems(start, startSchemas(operation, table), table, 'ExclusiveStartKey') : []),
    ];
  });

const startSchemas = ({ IndexName }: Operation, table: KnownTable): KeySchema[] => {
  const index = IndexName === undefined ? undefined : table.indexes.get(IndexName);
  return index ? [table, index] : [table];
};

function wholeKeyProblems(
  key: Attributes,
  schemas: KeySchema[],
  table: KnownTable,
  parameter: string,
): string[] {
  const wanted = new Set(schemas.flatMap(namesOf));
  const strange = Object.keys(key).filter((name) => !wanted.has(name));
  return [
    ...strange.map((name) => `keys: ${parameter} has ${name}, which is no part of the key`),
    ...schemas.flatMap((schema) => presentProblems(key, schema, table, parameter)),
  ];
}

const namesOf = ({ partitionKey, sortKey }: KeySchema): string[] =>
  sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];

const presentProblems = (
  attributes: Attributes,
  schema: KeySchema,
  table: KnownTable,
  where: string,
): string[] =>
  namesOf(schema).flatMap((name) => {
    const value = attributes[name];
    return value ? keyProblems(name, value, schema, table) : [`keys: ${where} lacks ${name}`];
  });

function itemProblems(item: Attributes, table: KnownTable): string[] {
  const indexes = [...table.indexes.values()];
  return [
    ...presentProblems(item, table, table, 'Item'),
    // An index leaves out items that lack its key.
    ...indexes.flatMap((index) =>
      namesOf(index).flatMap((name) => (item[name] ? keyProblems(name, item[name], index, table) : [])),
    ),
  ];
}

/** Of one value under a key attribute of a table or an index. */
export function keyProblems(name: string, value: Value, schema: KeySchema, { types }: KnownTable): string[] {
  const type = types[name] ?? 'S';
  const found = value[type];
  if (found === undefined) return [`keys: ${name} is of the type ${Object.keys(value)}, not ${type}`];
  if (type === 'N') return [];
  const bytes = Buffer.byteLength(found as string | Uint8Array);
  const part = name === schema.partitionKey ? 'partition' : 'sort';
  if (bytes === 0) return [`keys: ${name} is empty`];
  if (bytes <= mostBytes[part]) return [];
  return [`keys: ${name} has ${bytes} bytes, more than the ${mostBytes[part]} of a ${part} key`];
}
