import { expect, test } from 'vitest';
import { onItem, type Row, taken, testRows } from '../test-tables.ts';
import { reservedWords } from './language/reserved-words.ts';
import { placeholderProblems } from './placeholders.ts';

const sums = (count: number) => Array.from({ length: count }, () => ':v').join(' + ');
const value = { ExpressionAttributeValues: { ':v': { N: '1' } } };
const update = (what: string, verdict: string, text: string, more: object = value): Row => [
  what,
  verdict,
  'UpdateItem',
  onItem({ UpdateExpression: text, ...more }),
];

test('the list of reserved words has as many as that of AWS', () => {
  expect(reservedWords.size).toBe(573);
});

testRows(placeholderProblems, [
  update('a plain name', taken, 'SET amount = :v'),
  update('a reserved word', 'reserved word: status', 'SET status = :v'),
  update('a reserved word within a path', 'reserved word: Ttl', 'SET a.Ttl[1] = :v'),
  update('a reserved word behind a placeholder', taken, 'SET #s = :v', {
    ...value,
    ExpressionAttributeNames: { '#s': 'status' },
  }),
  update('a name with a placeholder that is not defined', '#s is not defined', 'SET #s = :v'),
  update('a value that is not defined', ':v is not defined', 'SET a = :v', {}),
  update('a name that is not used', '#s is not used', 'SET a = :v', {
    ...value,
    ExpressionAttributeNames: { '#s': 'status' },
  }),
  update('a value that is not used', ':v is not used', 'REMOVE a'),
  update('values without any', 'ExpressionAttributeValues is empty', 'REMOVE a', {
    ExpressionAttributeValues: {},
  }),
  update('a name that begins with a digit', 'syntax', 'SET 1a = :v'),
  update('a name that begins with an underscore', 'syntax', 'SET _a = :v'),
  update('a clause that is said twice', 'SET is said twice', 'SET a = :v SET b = :v'),
  update('all clauses', taken, 'SET a = :v, b = b - :v REMOVE c[0] ADD d :v DELETE e :v'),
  update('300 operators', taken, `SET a = ${sums(301)}`),
  update('301 operators', 'operators: UpdateExpression has 301', `SET a = ${sums(302)}`),
  update('4,096 bytes', taken, `SET ${'a'.repeat(4_087)} = :v`),
  update('4,097 bytes', 'longer than 4096 bytes', `SET ${'a'.repeat(4_088)} = :v + :v`.slice(0, -5)),
  ['values without an expression', ':v is not used', 'DeleteItem', onItem(value)],
  [
    'a condition with each operator',
    taken,
    'DeleteItem',
    onItem({
      ConditionExpression:
        'NOT (a = :v OR b IN (:v, c)) AND d BETWEEN :v AND e AND size(f.g) <> :v AND attribute_exists(h[1])',
      ...value,
    }),
  ],
  [
    'redundant parentheses',
    'redundant parentheses',
    'DeleteItem',
    onItem({ ConditionExpression: '((a = :v))', ...value }),
  ],
  [
    'parentheses that are joined in parentheses',
    taken,
    'DeleteItem',
    onItem({ ConditionExpression: '((a = :v) OR (b = :v))', ...value }),
  ],
  [
    'a condition that breaks off',
    'the end stands in place of',
    'DeleteItem',
    onItem({ ConditionExpression: 'a = ', ExpressionAttributeValues: undefined }),
  ],
  [
    'a reserved word in one write of a transaction',
    'reserved word: data',
    'TransactWriteItems',
    { TransactItems: [{ Update: onItem({ UpdateExpression: 'REMOVE data' }) }] },
  ],
  [
    'a reserved word in the projection of a batch',
    'reserved word: name',
    'BatchGetItem',
    { RequestItems: { Values: { Keys: [onItem({}).Key], ProjectionExpression: 'pk, name' } } },
  ],
]);
