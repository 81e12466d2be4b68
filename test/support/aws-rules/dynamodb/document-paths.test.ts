import { onItem, type Row, taken, testRows } from '../test-tables.ts';
import { documentPathProblems } from './document-paths.ts';

const update = (what: string, verdict: string, text: string, more: object = {}): Row => [
  what,
  verdict,
  'UpdateItem',
  onItem({ UpdateExpression: text, ...more }),
];

testRows(documentPathProblems, [
  update('two attributes', taken, 'SET a = :v, b = :v'),
  update('an attribute twice', '[a] and [a] overlap', 'SET a = :v REMOVE a'),
  update('a path within another', '[a] and [a, b] overlap', 'SET a = :v, a.b = :v'),
  update('paths side by side', taken, 'SET a.b = :v, a.c = :v, d[0] = :v, d[1] = :v'),
  update('a map that is a list too', '[a, b] and [a, 0] conflict', 'SET a.b = :v, a[0] = :v'),
  update('an attribute under two placeholders', '[a] and [a] overlap', 'SET #x = :v, #y = :v', {
    ExpressionAttributeNames: { '#x': 'a', '#y': 'a' },
  }),
  update('a path that another one reads', taken, 'SET a = b REMOVE c'),
  ['a projection that overlaps', 'overlap', 'GetItem', onItem({ ProjectionExpression: 'a, a.b' })],
]);
