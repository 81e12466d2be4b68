import type { Rule } from '../sent.ts';
import { resolve } from './document-paths.ts';
import { expressionsOf } from './expressions.ts';
import { type Operation, operationsOf, type Value } from './operations.ts';

/** The year 5138 in seconds. What is above counts milliseconds. */
const mostSeconds = 100_000_000_000;

/** Times at which items expire: DynamoDB takes any value, and never deletes an item by one that is no number of seconds. */
export const timeToLiveProblems: Rule = (sent) =>
  operationsOf(sent).flatMap((operation) => {
    const attribute = sent.tables.get(operation.table)?.timeToLiveAttribute;
    if (attribute === undefined) return [];
    return writtenValues(operation, attribute)
      .filter(({ N }) => !isTime(Number(N ?? Number.NaN)))
      .map((value) => `time to live: ${attribute} is ${JSON.stringify(value)}, no time in seconds`);
  });

const isTime = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds >= 0 && seconds < mostSeconds;

function writtenValues(operation: Operation, attribute: string): Value[] {
  const put = operation.Item?.[attribute];
  const updated = expressionsOf(operation).flatMap(({ actions = [] }) =>
    actions.flatMap(({ clause, path, operands, isSum }) => {
      const [name] = resolve(path, operation.ExpressionAttributeNames);
      if (clause !== 'SET' || isSum || path.length > 1 || name !== attribute) return [];
      const operand = operands[0]?.kind === 'call' ? operands[0].operands[1] : operands[0];
      const value =
        operand?.kind === 'value' ? operation.ExpressionAttributeValues?.[operand.name] : undefined;
      return value ? [value] : [];
    }),
  );
  return put ? [put, ...updated] : updated;
}
