import { type Row, taken, testRows } from '../test-tables.ts';
import { messageProblems } from './messages.ts';

const QueueUrl = 'http://queues/1/work';
const send = (what: string, verdict: string, more: object): Row => [
  what,
  verdict,
  'SendMessage',
  { QueueUrl, MessageBody: 'x', ...more },
];
const text = { DataType: 'String', StringValue: 'v' };
const attributes = (count: number) => ({
  MessageAttributes: Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, text])),
});
const named = (name: string, value: object = text) => ({ MessageAttributes: { [name]: value } });
const fifo = { QueueUrl: `${QueueUrl}.fifo` };

testRows(messageProblems, [
  send('1 MiB', taken, { MessageBody: 'x'.repeat(1_048_576) }),
  send('1 MiB with an attribute', '1048585 bytes', { MessageBody: 'x'.repeat(1_048_576), ...attributes(1) }),
  send('an empty message', 'it is empty', { MessageBody: '' }),
  send('lines and emoji', taken, { MessageBody: 'a\tb\r\n😀' }),
  send('a control character', 'no message may hold', { MessageBody: 'a\u0000' }),
  send('half a pair', 'no message may hold', { MessageBody: 'a\ud83d' }),
  send('10 attributes', taken, attributes(10)),
  send('11 attributes', '11, more than 10', attributes(11)),
  send('a name of AWS', 'aws.a is no name', named('aws.a')),
  send('a name with two points', 'a..b is no name', named('a..b')),
  send('a custom type', taken, named('a', { DataType: 'Number.int', StringValue: '1' })),
  send('an unknown type', 'the type Text', named('a', { DataType: 'Text', StringValue: '1' })),
  send('an attribute without a value', 'a is empty', named('a', { DataType: 'String', StringValue: '' })),
  send('a group', taken, { MessageGroupId: 'account#1' }),
  send('a group with a space', 'MessageGroupId', { MessageGroupId: 'a b' }),
  send('a group of 129 characters', 'MessageGroupId', { MessageGroupId: 'x'.repeat(129) }),
  send('a FIFO queue without a group', 'needs MessageGroupId', fifo),
  send('a delay in a FIFO queue', 'delays no single', { ...fifo, MessageGroupId: 'a', DelaySeconds: 1 }),
  send('a deduplication of another queue', 'only a FIFO queue', { MessageDeduplicationId: 'a' }),
  [
    'a batch of more than 1 MiB',
    'more than 1048576',
    'SendMessageBatch',
    { Entries: [1, 2].map((Id) => ({ Id, MessageBody: 'x'.repeat(600_000) })) },
  ],
]);
