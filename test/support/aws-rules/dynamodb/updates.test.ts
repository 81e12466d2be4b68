import { keyOf, onItem, type Row, taken, testRows } from '../test-tables.ts';
import { updateProblems } from './updates.ts';

const values = { ':n': { N: '1' }, ':s': { S: '' }, ':l': { L: [] }, ':set': { SS: ['a'] } };
const update = (what: string, verdict: string, UpdateExpression: string): Row => [
  what,
  verdict,
  'UpdateItem',
  onItem({ UpdateExpression, ExpressionAttributeValues: values }),
];

testRows(updateProblems, [
  update('a sum', taken, 'SET a = if_not_exists(a, :n) + :n ADD b :n, c :set DELETE d :set'),
  update('a longer list', taken, 'SET a = list_append(if_not_exists(a, :l), :l)'),
  update('a part of the key', 'pk is part of the key', 'SET pk = :s'),
  update('a part of the key that is removed', 'sk is part of the key', 'REMOVE sk'),
  update('a text that is added', 'ADD takes no S', 'ADD a :s'),
  update('a number that is deleted', 'DELETE takes no N', 'DELETE a :n'),
  update('a text in a sum', 'a sum takes no S', 'SET a = a + :s'),
  update('a text that is appended', 'list_append takes no S', 'SET a = list_append(a, :s)'),
  update('a default of a value', 'needs a path', 'SET a = if_not_exists(:n, :n)'),
  update('a function that is not there', 'is no function', 'SET a = lower(b)'),
  [
    'an empty key of an index',
    'at is empty',
    'UpdateItem',
    {
      TableName: 'Accounts',
      Key: keyOf('p'),
      UpdateExpression: 'SET at = :s',
      ExpressionAttributeValues: values,
    },
  ],
]);
