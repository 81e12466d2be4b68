import { onItem, type Row, taken, testRows } from '../test-tables.ts';
import { parameterProblems } from './parameters.ts';

const shown = (command: string, ReturnValues: string, verdict: string): Row => [
  `${ReturnValues} of ${command}`,
  verdict,
  command,
  onItem({ ReturnValues }),
];

testRows(parameterProblems, [
  ['a table', taken, 'DescribeTable', { TableName: 'errand-dev.Runs_1' }],
  ['a short name', 'no table has the name ab', 'DescribeTable', { TableName: 'ab' }],
  ['a long name', 'no table has the name', 'DescribeTable', { TableName: 'x'.repeat(256) }],
  [
    'a table of a batch',
    'no table has the name a b c',
    'BatchGetItem',
    { RequestItems: { 'a b c': { Keys: [] } } },
  ],
  [
    'an index with a space',
    'no index has the name',
    'DescribeTable',
    { TableName: 'abc', IndexName: 'by time' },
  ],
  [
    'a key attribute of 256 bytes',
    'is too long',
    'CreateTable',
    { TableName: 'abc', AttributeDefinitions: [{ AttributeName: 'x'.repeat(256) }] },
  ],
  shown('UpdateItem', 'ALL_NEW', taken),
  shown('PutItem', 'ALL_OLD', taken),
  shown('PutItem', 'ALL_NEW', 'ReturnValues is ALL_NEW'),
  [
    'an older parameter beside an expression',
    'Expected beside an expression',
    'DeleteItem',
    { ConditionExpression: 'attribute_exists(pk)', Expected: {} },
  ],
]);
