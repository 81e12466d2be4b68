import { onItem, type Row, taken, testRows } from '../test-tables.ts';
import { operandProblems } from './operands.ts';

const values = {
  ':1': { N: '1' },
  ':2': { N: '2' },
  ':s': { S: 'S' },
  ':t': { BOOL: true },
};
const condition = (what: string, verdict: string, ConditionExpression: string): Row => [
  what,
  verdict,
  'DeleteItem',
  onItem({ ConditionExpression, ExpressionAttributeValues: values }),
];
const list = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`).join();

testRows(operandProblems, [
  condition('values of each comparator', taken, 'a < :1 AND b BETWEEN :1 AND :2 AND c = :t'),
  condition(
    'functions',
    taken,
    'begins_with(a, :s) AND size(b) > :1 AND attribute_type(c, :s) AND contains(d, :1)',
  ),
  condition('a truth that is compared by order', '< takes no BOOL', 'a < :t'),
  condition('a number as the beginning of a text', 'begins_with takes no N', 'begins_with(a, :1)'),
  condition('bounds in the wrong order', 'above the upper one', 'a BETWEEN :2 AND :1'),
  condition('bounds of two types', 'differ in type', 'a BETWEEN :1 AND :s'),
  condition('an operand that is repeated', 'is repeated', 'a = a'),
  condition('a value that exists', 'needs a path', 'attribute_exists(:s)'),
  condition('a function with too few operands', 'has 1 operands', 'contains(a)'),
  condition('a function of SQL', 'no function lower', 'a = lower(b)'),
  condition('a list of 100', taken, `b IN (${list(100)})`),
  condition('a list of 101', 'more than 100', `b IN (${list(101)})`),
]);
