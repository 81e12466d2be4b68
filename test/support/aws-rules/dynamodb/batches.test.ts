import { keyOf, onItem, putOf, type Row, taken, testRows } from '../test-tables.ts';
import { batchProblems } from './batches.ts';

const keys = (count: number) => Array.from({ length: count }, (_, i) => keyOf('p', String(i)));
const gets = (what: string, verdict: string, Keys: object[]): Row => [
  what,
  verdict,
  'BatchGetItem',
  { RequestItems: { Values: { Keys } } },
];
const deletions = (what: string, verdict: string, all: object[]): Row => [
  what,
  verdict,
  'BatchWriteItem',
  { RequestItems: { Values: all.map((Key) => ({ DeleteRequest: { Key } })) } },
];
const transaction = (what: string, verdict: string, TransactItems: object[], more: object = {}): Row => [
  what,
  verdict,
  'TransactWriteItems',
  { TransactItems, ...more },
];
const large = (sk: string, bytes: number) => ({
  Put: { TableName: 'Values', Item: { ...keyOf('p', sk), a: { S: 'x'.repeat(bytes) } } },
});

testRows(batchProblems, [
  gets('100 reads', taken, keys(100)),
  gets('101 reads', '101 items, more than 100', keys(101)),
  gets('a key twice', 'is touched twice', [...keys(2), ...keys(1)]),
  deletions('25 writes', taken, keys(25)),
  deletions('26 writes', '26 items, more than 25', keys(26)),
  deletions('an item twice', 'is touched twice', [...keys(2), ...keys(1)]),
  ['a batch of nothing', 'there is nothing in it', 'BatchGetItem', { RequestItems: {} }],
  transaction(
    '100 writes',
    taken,
    keys(100).map((Key) => ({ Delete: onItem({ Key }) })),
  ),
  transaction(
    '101 writes',
    '101 items, more than 100',
    keys(101).map((Key) => ({ Delete: onItem({ Key }) })),
  ),
  transaction('an item that is checked and written', 'is touched twice', [
    { ConditionCheck: onItem({}) },
    { Put: putOf({}) },
  ]),
  transaction('one key in two tables', taken, [
    { Delete: onItem({}) },
    { Delete: onItem({ TableName: 'Runs' }) },
  ]),
  transaction(
    '4 MB',
    taken,
    Array.from({ length: 10 }, (_, i) => large(String(i), 409_000)),
  ),
  transaction(
    'more than 4 MB',
    'more than 4194304',
    Array.from({ length: 11 }, (_, i) => large(String(i), 409_000)),
  ),
  transaction('two operations in one part', 'not one operation', [
    { Delete: onItem({}), Put: { TableName: 'Runs', Item: keyOf('q') } },
  ]),
  transaction('a token that is too long', '37 characters', [{ Put: putOf({}) }], {
    ClientRequestToken: 'x'.repeat(37),
  }),
]);
