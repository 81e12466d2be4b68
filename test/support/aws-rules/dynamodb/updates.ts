import type { Rule } from '../sent.ts';
import { resolve } from './document-paths.ts';
import { expressionsOf } from './expressions.ts';
import { keyProblems } from './key-values.ts';
import type { Operand } from './language/cursor.ts';
import type { Action } from './language/read-update.ts';
import { type Operation, operationsOf, type Value } from './operations.ts';
import type { KnownTable } from './tables.ts';

const sets = ['SS', 'NS', 'BS'];
const functions: Record<string, number> = { if_not_exists: 2, list_append: 2 };

/** What an update may write, and with which operands. */
export const updateProblems: Rule = (sent) =>
  operationsOf(sent).flatMap((operation) => {
    if (operation.kind !== 'Update') return [];
    const table = sent.tables.get(operation.table);
    return expressionsOf(operation).flatMap(({ actions = [] }) =>
      actions.flatMap((action) => [
        ...(table ? keyWriteProblems(action, operation, table) : []),
        ...operandProblems(action, operation),
      ]),
    );
  });

const valueFor = (
  operand: Operand | undefined,
  { ExpressionAttributeValues }: Operation,
): Value | undefined => (operand?.kind === 'value' ? ExpressionAttributeValues?.[operand.name] : undefined);

function keyWriteProblems({ path, operands }: Action, operation: Operation, table: KnownTable): string[] {
  const [name] = resolve(path, operation.ExpressionAttributeNames);
  if (name === table.partitionKey || name === table.sortKey)
    return [`updates: ${name} is part of the key and cannot be written`];
  const value = operands.length === 1 ? valueFor(operands[0], operation) : undefined;
  if (!value || path.length > 1) return [];
  return [...table.indexes.values()]
    .filter(({ partitionKey, sortKey }) => name === partitionKey || name === sortKey)
    .flatMap((index) => keyProblems(String(name), value, index, table));
}

function operandProblems({ clause, operands, isSum }: Action, operation: Operation): string[] {
  const typed = (operand: Operand | undefined, allowed: string[], where: string): string[] => {
    const value = valueFor(operand, operation);
    const type = value && String(Object.keys(value)[0]);
    return type && !allowed.includes(type) ? [`updates: ${where} takes no ${type}`] : [];
  };
  if (clause === 'ADD') return typed(operands[0], ['N', ...sets], clause);
  if (clause === 'DELETE') return typed(operands[0], sets, clause);
  return operands.flatMap((operand) => [
    ...(isSum ? typed(operand, ['N'], 'a sum') : []),
    ...callProblems(operand, (inner) => typed(inner, ['L'], 'list_append')),
  ]);
}

function callProblems(operand: Operand, listProblems: (inner: Operand) => string[]): string[] {
  if (operand.kind !== 'call') return [];
  const { function: name, operands } = operand;
  if (functions[name] !== operands.length)
    return [`updates: ${name} with ${operands.length} operands is no function`];
  if (name === 'if_not_exists' && operands[0]?.kind !== 'path')
    return ['updates: if_not_exists needs a path'];
  return operands.flatMap((inner) => [
    ...(name === 'list_append' ? listProblems(inner) : []),
    ...callProblems(inner, listProblems),
  ]);
}
