import { keyOf, ledgerQuery, onItem, putOf, type Row, taken, testRows } from '../test-tables.ts';
import { keyValueProblems } from './key-values.ts';

const get = (what: string, verdict: string, Key: object): Row => [what, verdict, 'GetItem', onItem({ Key })];
const entry = (more: object) => ({ TableName: 'Accounts', Item: { ...keyOf('p'), ...more } });

testRows(keyValueProblems, [
  get('a key', taken, keyOf('p', 's')),
  get('an empty partition key', 'pk is empty', keyOf('')),
  get('an empty sort key', 'sk is empty', keyOf('p', '')),
  get('2,048 bytes and 1,024', taken, keyOf('é'.repeat(1_024), 'x'.repeat(1_024))),
  get('a partition key of 2,049 bytes', 'pk has 2049 bytes', keyOf(`${'é'.repeat(1_024)}x`)),
  get('a sort key of 1,025 bytes', 'sk has 1025 bytes', keyOf('p', 'x'.repeat(1_025))),
  get('half a key', 'Key lacks sk', { pk: { S: 'p' } }),
  get('more than the key', 'Key has at', { ...keyOf('p'), at: { S: 'x' } }),
  get('a number for a text', 'pk is of the type N', { ...keyOf('p'), pk: { N: '1' } }),
  ['an item', taken, 'PutItem', putOf({})],
  ['an item without a sort key', 'Item lacks sk', 'PutItem', putOf({ sk: undefined })],
  ['an item that an index leaves out', taken, 'PutItem', entry({})],
  ['an empty key of an index', 'ledger is empty', 'PutItem', entry({ ledger: { S: '' } })],
  ['another type in an index', 'at is of the type N', 'PutItem', entry({ at: { N: '1' } })],
  [
    'a start in an index',
    taken,
    'Query',
    ledgerQuery({ ExclusiveStartKey: { ...keyOf('p'), ledger: { S: 'l' }, at: { S: 'a' } } }),
  ],
  [
    'a start in an index without its key',
    'ExclusiveStartKey lacks at',
    'Query',
    ledgerQuery({ ExclusiveStartKey: { ...keyOf('p'), ledger: { S: 'l' } } }),
  ],
]);
