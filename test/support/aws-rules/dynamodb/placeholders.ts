import { ruleByShape } from './by-shape.ts';
import { expressionsOf, type NamedExpression } from './expressions.ts';
import { reservedWords } from './language/reserved-words.ts';
import type { Operation } from './operations.ts';

const longestPlaceholderBytes = 255;
const mostExpressionBytes = 4_096;
const mostOperators = 300;

/** Expressions, and the placeholders that stand in them. */
export const placeholderProblems = ruleByShape((operation) => {
  const expressions = expressionsOf(operation);
  return [
    ...expressions.flatMap(expressionProblems),
    ...usageProblems('ExpressionAttributeNames', operation, expressions),
    ...usageProblems('ExpressionAttributeValues', operation, expressions),
  ];
});

function expressionProblems({
  parameter,
  text,
  problem,
  names,
  operators,
  ...rest
}: NamedExpression): string[] {
  const problems: string[] = [];
  if (problem) problems.push(`syntax: ${parameter}: ${problem}`);
  if (text.trim() === '') problems.push(`syntax: ${parameter} is empty`);
  if (Buffer.byteLength(text) > mostExpressionBytes)
    problems.push(`expression size: ${parameter} is longer than ${mostExpressionBytes} bytes`);
  if (operators > mostOperators)
    problems.push(`operators: ${parameter} has ${operators}, more than ${mostOperators}`);
  if (rest.condition?.isRedundant) problems.push(`syntax: ${parameter} has redundant parentheses`);
  for (const name of names)
    if (reservedWords.has(name.toUpperCase()))
      problems.push(`reserved word: ${name} stands unescaped in ${parameter}`);
  return problems;
}

const signs = { ExpressionAttributeNames: '#', ExpressionAttributeValues: ':' } as const;

function usageProblems(
  parameter: keyof typeof signs,
  operation: Operation,
  expressions: NamedExpression[],
): string[] {
  const sign = signs[parameter];
  const given = operation[parameter];
  // What stands after a fault of syntax has not been read.
  if (expressions.some(({ problem }) => problem)) return [];
  const used = new Set(
    expressions.flatMap(({ names, values }) => [...names, ...values].filter((name) => name.startsWith(sign))),
  );
  const undefinedOnes = [...used].filter((name) => given?.[name] === undefined);
  const problems = undefinedOnes.map((name) => `placeholders: ${name} is not defined in ${parameter}`);
  if (!given) return problems;
  const names = Object.keys(given);
  if (names.length === 0) problems.push(`placeholders: ${parameter} is empty`);
  for (const name of names) {
    if (!used.has(name)) problems.push(`placeholders: ${name} is not used in any expression`);
    if (!(name.startsWith(sign) && /^.\w+$/.test(name)))
      problems.push(`placeholders: ${name} is no name of a placeholder`);
    if (Buffer.byteLength(name) > longestPlaceholderBytes)
      problems.push(`placeholders: a name is longer than ${longestPlaceholderBytes} bytes`);
  }
  return problems;
}
