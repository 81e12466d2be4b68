import { ledgerQuery, type Row, taken, testRows } from '../test-tables.ts';
import { readProblems } from './reads.ts';

const scan = (what: string, verdict: string, more: object): Row => [
  what,
  verdict,
  'Scan',
  { TableName: 'Values', ...more },
];

testRows(readProblems, [
  scan('a page of one', taken, { Limit: 1, ConsistentRead: true }),
  scan('a page of none', 'Limit is 0', { Limit: 0 }),
  scan('half an item', 'Limit is 0.5', { Limit: 0.5 }),
  scan('a segment', taken, { Segment: 3, TotalSegments: 4 }),
  scan('a segment behind the last one', 'Segment is 4 of 4', { Segment: 4, TotalSegments: 4 }),
  scan('a segment of no known number', 'belong together', { Segment: 0 }),
  scan('a count', taken, { Select: 'COUNT' }),
  scan('a count of some attributes', 'with Select COUNT', { Select: 'COUNT', ProjectionExpression: 'a' }),
  scan('some attributes without names', 'without a ProjectionExpression', { Select: 'SPECIFIC_ATTRIBUTES' }),
  scan('projected attributes of a table', 'without an index', { Select: 'ALL_PROJECTED_ATTRIBUTES' }),
  ['an index', taken, 'Query', ledgerQuery({ ConsistentRead: false, Select: 'ALL_ATTRIBUTES' })],
  ['an index, strongly consistent', 'ConsistentRead', 'Query', ledgerQuery({ ConsistentRead: true })],
]);
