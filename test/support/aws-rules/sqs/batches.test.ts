import { type Row, taken, testRows } from '../test-tables.ts';
import { batchProblems } from './batches.ts';

const batch = (what: string, verdict: string, ids: string[]): Row => [
  what,
  verdict,
  'DeleteMessageBatch',
  { Entries: ids.map((Id) => ({ Id, ReceiptHandle: 'r' })) },
];
const ids = (count: number) => Array.from({ length: count }, (_, i) => `id-${i}`);

testRows(batchProblems, [
  batch('10 entries', taken, ids(10)),
  batch('11 entries', '11 entries, more than 10', ids(11)),
  batch('nothing', 'there is nothing in it', []),
  batch('an id twice', 'there twice', ['a', 'a']),
  batch('an id with a point', 'is no id', ['a.b']),
  batch('an id of 81 characters', 'is no id', ['x'.repeat(81)]),
]);
