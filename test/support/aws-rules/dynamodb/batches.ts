import type { Rule } from '../sent.ts';
import { attributesBytes } from './item-size.ts';
import { type Operation, operationsOf } from './operations.ts';
import type { KnownTables } from './tables.ts';

const most: Record<string, { operations: number; bytes: number }> = {
  BatchGetItem: { operations: 100, bytes: 16_777_216 },
  BatchWriteItem: { operations: 25, bytes: 16_777_216 },
  TransactGetItems: { operations: 100, bytes: 4_194_304 },
  TransactWriteItems: { operations: 100, bytes: 4_194_304 },
};
const longestToken = 36;

/** How much a batch or a transaction may hold, and that it touches no item twice. */
export const batchProblems: Rule = (sent) => {
  const { command, input, tables } = sent;
  const bound = most[command];
  if (!bound) return [];
  const problems: string[] = [];
  const operations = operationsOf(sent);
  if (operations.length === 0) problems.push('batches: there is nothing in it');
  if (operations.length > bound.operations)
    problems.push(`batches: ${operations.length} items, more than ${bound.operations}`);
  const bytes = operations.reduce((total, operation) => total + operationBytes(operation), 0);
  if (bytes > bound.bytes) problems.push(`batches: ${bytes} bytes, more than ${bound.bytes}`);
  const touched = new Set<string>();
  for (const operation of operations) {
    const item = identity(operation, tables);
    if (touched.has(item)) problems.push(`batches: ${item} is touched twice`);
    touched.add(item);
  }
  for (const part of input.TransactItems ?? [])
    if (Object.values(part).filter(Boolean).length !== 1)
      problems.push('batches: a part is not one operation');
  for (const [table, part] of Object.entries<{ Keys?: unknown[]; length?: number }>(input.RequestItems ?? {}))
    if ((part.Keys ?? part).length === 0) problems.push(`batches: there is nothing for ${table}`);
  const token = input.ClientRequestToken;
  if (token !== undefined && (token.length === 0 || token.length > longestToken))
    problems.push(`batches: ClientRequestToken has ${token.length} characters`);
  return problems;
};

const operationBytes = ({ Item, Key, ExpressionAttributeValues }: Operation): number =>
  [Item, Key, ExpressionAttributeValues].reduce(
    (bytes, each) => bytes + (each ? attributesBytes(each) : 0),
    0,
  );

function identity({ table, Item, Key = Item ?? {} }: Operation, tables: KnownTables): string {
  const schema = tables.get(table);
  const { partitionKey = 'pk', sortKey } = schema ?? { sortKey: 'sk' };
  const parts = [Key[partitionKey], ...(sortKey === undefined ? [] : [Key[sortKey]])];
  return `${table} ${JSON.stringify(parts.map((value) => value && Object.values(value)[0]))}`;
}
