import { type Row, taken, testRows } from '../test-tables.ts';
import { settingProblems } from './settings.ts';

const bounds = (command: string, name: string, least: number, most: number): Row[] => [
  [`${name} of ${least}`, taken, command, { [name]: least }],
  [`${name} of ${most}`, taken, command, { [name]: most }],
  [`${name} of ${least - 1}`, `${name} is ${least - 1}`, command, { [name]: least - 1 }],
  [`${name} of ${most + 1}`, `${name} is ${most + 1}`, command, { [name]: most + 1 }],
];
const create = (what: string, verdict: string, QueueName: string, Attributes: object = {}): Row => [
  what,
  verdict,
  'CreateQueue',
  { QueueName, Attributes },
];

testRows(settingProblems, [
  ...bounds('ChangeMessageVisibility', 'VisibilityTimeout', 0, 43_200),
  ...bounds('ReceiveMessage', 'WaitTimeSeconds', 0, 20),
  ...bounds('ReceiveMessage', 'MaxNumberOfMessages', 1, 10),
  ...bounds('SendMessage', 'DelaySeconds', 0, 900),
  ['half a second', 'DelaySeconds is 0.5', 'SendMessage', { DelaySeconds: 0.5 }],
  ['a delay in a batch', 'DelaySeconds is 901', 'SendMessageBatch', { Entries: [{ DelaySeconds: 901 }] }],
  ['an empty receipt', 'ReceiptHandle is empty', 'DeleteMessage', { ReceiptHandle: '' }],
  create('a queue', taken, 'errand-dev_runs', {
    VisibilityTimeout: '43200',
    MessageRetentionPeriod: '1209600',
  }),
  create('a queue that keeps for too long', 'MessageRetentionPeriod', 'q', {
    MessageRetentionPeriod: '1209601',
  }),
  create('a queue that gives up late', 'maxReceiveCount is 1001', 'q', {
    RedrivePolicy: '{"maxReceiveCount":1001}',
  }),
  create('a FIFO queue', taken, 'q.fifo', { FifoQueue: 'true' }),
  create('a FIFO queue by name alone', '.fifo ends the name', 'q.fifo'),
  create('a name with a point', 'no queue has the name a.b', 'a.b'),
  create('a name of 81 characters', 'no queue has the name', 'x'.repeat(81)),
]);
