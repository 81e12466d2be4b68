import { keyOf, ledgerQuery, type Row, taken, testRows } from '../test-tables.ts';
import { keyConditionProblems } from './key-conditions.ts';

const values = { ':p': { S: 'p' }, ':s': { S: 's' }, ':e': { S: '' } };
const query = (what: string, verdict: string, KeyConditionExpression: string, more: object = {}): Row => [
  what,
  verdict,
  'Query',
  { TableName: 'Values', KeyConditionExpression, ExpressionAttributeValues: values, ...more },
];

testRows(keyConditionProblems, [
  query('a partition', taken, 'pk = :p'),
  query('a range of a partition', taken, 'pk = :p AND sk BETWEEN :p AND :s'),
  query('a prefix, with a placeholder', taken, 'begins_with(#s, :s) AND pk = :p', {
    ExpressionAttributeNames: { '#s': 'sk' },
  }),
  query('no partition', 'pk has to equal one value', 'sk = :s'),
  query('a range of partitions', 'pk has to equal one value', 'pk > :p'),
  query('another attribute', 'no part of the key', 'pk = :p AND other = :s'),
  query('alternatives', 'only AND', 'pk = :p OR sk = :s'),
  query('two conditions of the sort key', 'more than one condition', 'pk = :p AND sk > :p AND sk < :s'),
  query('a difference of the sort key', '<> is none', 'pk = :p AND sk <> :s'),
  query('an empty partition key', 'pk is empty', 'pk = :e'),
  query('a filter', taken, 'pk = :p', { FilterExpression: 'other > :s AND size(name) > :s' }),
  query('a filter by the sort key', 'sk stands in FilterExpression', 'pk = :p', {
    FilterExpression: 'begins_with(sk, :s)',
  }),
  query('a start in another partition', 'another partition', 'pk = :p', { ExclusiveStartKey: keyOf('q') }),
  query('an index that is not there', 'no index other', 'pk = :p', { IndexName: 'other' }),
  ['an index', taken, 'Query', ledgerQuery({})],
  ["a filter of an index by the table's key", taken, 'Query', ledgerQuery({ FilterExpression: 'pk = :l' })],
  [
    "a filter of an index by the index's key",
    'at stands in FilterExpression',
    'Query',
    ledgerQuery({ FilterExpression: 'at = :l' }),
  ],
  ['a query without a condition', 'a query has one', 'Query', { TableName: 'Values' }],
  ['a filter of a scan by the key', taken, 'Scan', { TableName: 'Values', FilterExpression: 'pk = :p' }],
]);
