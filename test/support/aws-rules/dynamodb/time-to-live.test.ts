import { onItem, putOf, type Row, taken, testRows } from '../test-tables.ts';
import { timeToLiveProblems } from './time-to-live.ts';

const put = (what: string, verdict: string, expiresAtSeconds: object): Row => [
  what,
  verdict,
  'PutItem',
  putOf({ expiresAtSeconds }),
];
const update = (what: string, verdict: string, UpdateExpression: string): Row => [
  what,
  verdict,
  'UpdateItem',
  onItem({ UpdateExpression, ExpressionAttributeValues: { ':t': { N: '1790000000000' } } }),
];

testRows(timeToLiveProblems, [
  put('a time in seconds', taken, { N: '1790000000' }),
  put('a time in milliseconds', 'no time in seconds', { N: '1790000000000' }),
  put('a part of a second', 'no time in seconds', { N: '1790000000.5' }),
  put('a text', 'no time in seconds', { S: '1790000000' }),
  update('milliseconds in an update', 'no time in seconds', 'SET expiresAtSeconds = :t'),
  update('milliseconds as a default', 'no time in seconds', 'SET expiresAtSeconds = if_not_exists(a, :t)'),
  update('another attribute', taken, 'SET atMilliseconds = :t'),
  ['an item that stays', taken, 'PutItem', putOf({})],
]);
