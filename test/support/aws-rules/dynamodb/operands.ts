import type { Rule } from '../sent.ts';
import { expressionsOf } from './expressions.ts';
import type { Operand } from './language/cursor.ts';
import type { Test } from './language/read-condition.ts';
import { type Operation, operationsOf, type Value } from './operations.ts';

/** Functions of conditions, and how many operands each has. */
const functions: Record<string, number> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};
const ofPaths = ['attribute_exists', 'attribute_not_exists', 'attribute_type'];
const ordered = ['<', '<=', '>', '>=', 'BETWEEN'];
const typed = [...ordered, 'begins_with', 'attribute_type'];
const signs = ['=', '<>', ...ordered, 'IN'];
const mostInList = 100;
const types = ['S', 'SS', 'N', 'NS', 'B', 'BS', 'BOOL', 'NULL', 'L', 'M'];

/** What may stand beside an operator of a condition, or in its functions. */
export const operandProblems: Rule = (sent) =>
  operationsOf(sent).flatMap((operation) =>
    expressionsOf(operation).flatMap(({ parameter, condition }) =>
      (condition?.tests ?? []).flatMap((test) =>
        testProblems(test, operation).map((problem) => `operands: ${problem} in ${parameter}`),
      ),
    ),
  );

const known = new WeakMap<Test, string[]>();

function testProblems(test: Test, operation: Operation): string[] {
  let ofShape = known.get(test);
  if (!ofShape) {
    ofShape = allShapeProblems(test.operator, test.operands);
    known.set(test, ofShape);
  }
  return [...ofShape, ...typeProblems(test.operator, test.operands, operation)];
}

const allShapeProblems = (operator: string, operands: Operand[]): string[] => [
  ...operands.flatMap((operand) =>
    operand.kind === 'call' ? allShapeProblems(operand.function, operand.operands) : [],
  ),
  ...shapeProblems(operator, operands),
];

function shapeProblems(operator: string, operands: Operand[]): string[] {
  const wanted = functions[operator];
  if (wanted === undefined && !signs.includes(operator)) return [`there is no function ${operator}`];
  const problems: string[] = [];
  if (wanted !== undefined && operands.length !== wanted)
    problems.push(`${operator} has ${operands.length} operands`);
  if (operator === 'IN' && operands.length - 1 > mostInList)
    problems.push(`IN lists more than ${mostInList} values`);
  const [first, ...others] = operands;
  if (first?.kind === 'value' && ofPaths.includes(operator)) problems.push(`${operator} needs a path`);
  if (others.some((other) => JSON.stringify(other) === JSON.stringify(first)))
    problems.push(`the first operand of ${operator} is repeated`);
  return problems;
}

function typeProblems(operator: string, operands: Operand[], operation: Operation): string[] {
  if (!typed.includes(operator)) return [];
  const values = operands.flatMap((operand) => {
    const value = operand.kind === 'value' ? operation.ExpressionAttributeValues?.[operand.name] : undefined;
    return value ? [value] : [];
  });
  const found = values.map((value) => String(Object.keys(value)[0]));
  const wrong = (allowed: string[]) =>
    found.filter((type) => !allowed.includes(type)).map((type) => `${operator} takes no ${type}`);
  if (ordered.includes(operator))
    return [...wrong(['S', 'N', 'B']), ...(operator === 'BETWEEN' ? boundProblems(values) : [])];
  if (operator === 'begins_with') return wrong(['S', 'B']);
  if (operator === 'attribute_type')
    return values.filter(({ S }) => !types.includes(String(S))).map(() => 'attribute_type names no type');
  return [];
}

function boundProblems([lower, upper]: Value[]): string[] {
  if (!lower || !upper) return [];
  if (Object.keys(lower)[0] !== Object.keys(upper)[0]) return ['the bounds of BETWEEN differ in type'];
  const isAbove =
    'N' in lower
      ? Number(lower.N) > Number(upper.N)
      : Buffer.compare(Buffer.from(String(lower.S ?? '')), Buffer.from(String(upper.S ?? ''))) > 0;
  return isAbove ? ['the lower bound of BETWEEN is above the upper one'] : [];
}
