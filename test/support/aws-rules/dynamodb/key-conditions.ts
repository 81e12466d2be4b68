import type { Rule } from '../sent.ts';
import { resolve } from './document-paths.ts';
import { expressionsOf } from './expressions.ts';
import { keyProblems } from './key-values.ts';
import type { Condition, Test } from './language/read-condition.ts';
import { type Operation, operationsOf, type Value } from './operations.ts';
import type { KeySchema, KnownTable } from './tables.ts';

const sortOperators = ['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with'];

/** What of a query belongs into its key condition, and what into its filter. */
export const keyConditionProblems: Rule = (sent) =>
  operationsOf(sent).flatMap((operation) => {
    const table = sent.tables.get(operation.table);
    if (operation.kind !== 'Query' || !table) return [];
    const { IndexName, KeyConditionExpression } = operation;
    const schema = IndexName === undefined ? table : table.indexes.get(IndexName);
    if (!schema) return [`indexes: ${operation.table} has no index ${IndexName}`];
    if (KeyConditionExpression === undefined) return ['key condition: a query has one'];
    return expressionsOf(operation).flatMap(({ parameter, condition }) => {
      if (!condition) return [];
      if (parameter === 'FilterExpression') return filterProblems(condition, schema, operation);
      return parameter === 'KeyConditionExpression'
        ? conditionProblems(condition, schema, table, operation)
        : [];
    });
  });

const nameOf = ({ operands: [first] }: Test, { ExpressionAttributeNames }: Operation): string | undefined =>
  first?.kind === 'path' ? String(resolve(first.path, ExpressionAttributeNames).join('.')) : undefined;

function filterProblems({ tests }: Condition, schema: KeySchema, operation: Operation): string[] {
  const names = tests.flatMap(({ operands }) =>
    operands.flatMap((operand) => {
      const inner = operand.kind === 'call' ? operand.operands : [operand];
      return inner.flatMap((each) =>
        each.kind === 'path' ? [String(resolve(each.path, operation.ExpressionAttributeNames)[0])] : [],
      );
    }),
  );
  return names
    .filter((name) => name === schema.partitionKey || name === schema.sortKey)
    .map((name) => `key condition: the key attribute ${name} stands in FilterExpression`);
}

function conditionProblems(
  { tests, joins }: Condition,
  schema: KeySchema,
  table: KnownTable,
  operation: Operation,
): string[] {
  const problems: string[] = [];
  if (joins.has('OR') || joins.has('NOT')) problems.push('key condition: only AND joins its parts');
  const named = (name: string | undefined) => tests.filter((test) => nameOf(test, operation) === name);
  const partition = named(schema.partitionKey);
  const sort = schema.sortKey === undefined ? [] : named(schema.sortKey);
  if (partition.length !== 1 || partition[0]?.operator !== '=')
    problems.push(`key condition: ${schema.partitionKey} has to equal one value`);
  if (sort.length > 1) problems.push(`key condition: ${schema.sortKey} has more than one condition`);
  for (const { operator } of sort)
    if (!sortOperators.includes(operator)) problems.push(`key condition: ${operator} is none for a sort key`);
  if (partition.length + sort.length < tests.length)
    problems.push('key condition: it names an attribute that is no part of the key');
  for (const test of [...partition, ...sort])
    for (const value of valuesOf(test, operation))
      problems.push(...keyProblems(String(nameOf(test, operation)), value, schema, table));
  const start = operation.ExclusiveStartKey?.[schema.partitionKey];
  const [asked] = partition.flatMap((test) => valuesOf(test, operation));
  if (start && asked && JSON.stringify(start) !== JSON.stringify(asked))
    problems.push('key condition: ExclusiveStartKey lies in another partition');
  return problems;
}

const valuesOf = ({ operands }: Test, { ExpressionAttributeValues = {} }: Operation): Value[] =>
  operands.flatMap((operand) => {
    const value = operand.kind === 'value' ? ExpressionAttributeValues[operand.name] : undefined;
    return value ? [value] : [];
  });
