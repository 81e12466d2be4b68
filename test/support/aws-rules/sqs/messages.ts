import type { Rule } from '../sent.ts';

const mostBytes = 1_048_576;
const mostAttributes = 10;
const longestAttributeWord = 256;
/** Every character that a message may hold. */
const text = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;
const group = /^[!-~]{1,128}$/;

interface Message {
  MessageBody?: string;
  MessageAttributes?: Record<string, Attribute>;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
  DelaySeconds?: number;
}

interface Attribute {
  DataType?: string;
  StringValue?: string;
  BinaryValue?: Uint8Array;
}

const messagesOf = ({ command, input }: Parameters<Rule>[0]): Message[] => {
  if (command === 'SendMessage') return [input];
  return command === 'SendMessageBatch' ? (input.Entries ?? []) : [];
};

/** What a message may hold, alone and in a batch. */
export const messageProblems: Rule = (sent) => {
  const messages = messagesOf(sent);
  const bytes = messages.reduce((total, message) => total + messageBytes(message), 0);
  const isFifo = String(sent.input.QueueUrl).endsWith('.fifo');
  return [
    ...(bytes > mostBytes ? [`message size: ${bytes} bytes with attributes, more than ${mostBytes}`] : []),
    ...messages.flatMap((message) => [
      ...bodyProblems(message),
      ...attributesProblems(message.MessageAttributes ?? {}),
      ...queueProblems(message, isFifo),
    ]),
  ];
};

const messageBytes = ({ MessageBody = '', MessageAttributes = {} }: Message): number =>
  Object.entries(MessageAttributes).reduce(
    (bytes, [name, { DataType = '', StringValue = '', BinaryValue = '' }]) =>
      bytes +
      [name, DataType, StringValue, BinaryValue].reduce((sum, part) => sum + Buffer.byteLength(part), 0),
    Buffer.byteLength(MessageBody),
  );

function bodyProblems({ MessageBody = '' }: Message): string[] {
  if (MessageBody === '') return ['message text: it is empty'];
  return text.test(MessageBody) ? [] : ['message text: it has a character that no message may hold'];
}

function attributesProblems(attributes: Record<string, Attribute>): string[] {
  const names = Object.keys(attributes);
  return [
    ...(names.length > mostAttributes
      ? [`message attributes: ${names.length}, more than ${mostAttributes}`]
      : []),
    ...Object.entries(attributes).flatMap(([name, attribute]) => attributeProblems(name, attribute)),
  ];
}

function attributeProblems(name: string, { DataType = '', StringValue, BinaryValue }: Attribute): string[] {
  const problems: string[] = [];
  const isName = /^[\w-]+(\.[\w-]+)*$/.test(name) && !/^(aws|amazon)\./i.test(name);
  if (!isName || name.length > longestAttributeWord) problems.push(`message attributes: ${name} is no name`);
  if (!/^(String|Number|Binary)(\.|$)/.test(DataType) || DataType.length > longestAttributeWord)
    problems.push(`message attributes: ${name} has the type ${DataType}`);
  if (!(StringValue || BinaryValue?.byteLength)) problems.push(`message attributes: ${name} is empty`);
  if (StringValue !== undefined && !text.test(StringValue))
    problems.push(`message attributes: ${name} has a character that no message may hold`);
  return problems;
}

function queueProblems(
  { MessageGroupId, MessageDeduplicationId, DelaySeconds }: Message,
  isFifo: boolean,
): string[] {
  const problems: string[] = [];
  if (MessageGroupId !== undefined && !group.test(MessageGroupId))
    problems.push('message groups: MessageGroupId has 1 to 128 characters of ASCII without spaces');
  if (MessageDeduplicationId !== undefined && !group.test(MessageDeduplicationId))
    problems.push('message groups: MessageDeduplicationId has 1 to 128 characters of ASCII without spaces');
  if (isFifo && MessageGroupId === undefined)
    problems.push('message groups: a FIFO queue needs MessageGroupId');
  if (isFifo && DelaySeconds !== undefined)
    problems.push('message groups: a FIFO queue delays no single message');
  if (!isFifo && MessageDeduplicationId !== undefined)
    problems.push('message groups: only a FIFO queue takes MessageDeduplicationId');
  return problems;
}
