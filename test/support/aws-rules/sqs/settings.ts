import type { Rule } from '../sent.ts';

/** The least and the most of each number, in requests and in the attributes of a queue. */
const bounds: Record<string, [least: number, most: number]> = {
  VisibilityTimeout: [0, 43_200],
  WaitTimeSeconds: [0, 20],
  MaxNumberOfMessages: [1, 10],
  DelaySeconds: [0, 900],
  ReceiveMessageWaitTimeSeconds: [0, 20],
  MaximumMessageSize: [1_024, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600],
};

const queueName = /^(?=.{1,80}$)[\w-]+(\.fifo)?$/;
const mostReceives = 1_000;

/** Numbers, names of queues and handles of receipts. */
export const settingProblems: Rule = ({ command, input }) => {
  const attributes: Record<string, string> = typeof input.Attributes === 'object' ? input.Attributes : {};
  const entries: Record<string, unknown>[] = input.Entries ?? [];
  const problems = [input, ...entries, attributes].flatMap(numberProblems);
  if (command === 'CreateQueue' && !queueName.test(input.QueueName))
    problems.push(`names: no queue has the name ${input.QueueName}`);
  if (
    command === 'CreateQueue' &&
    String(input.QueueName).endsWith('.fifo') !== (attributes.FifoQueue === 'true')
  )
    problems.push('names: .fifo ends the name of a FIFO queue, and no other');
  const receives = attributes.RedrivePolicy && JSON.parse(attributes.RedrivePolicy).maxReceiveCount;
  if (receives && !(receives >= 1 && receives <= mostReceives))
    problems.push(`numbers: maxReceiveCount is ${receives}`);
  for (const each of [input, ...entries])
    if (each.ReceiptHandle === '') problems.push('receipts: ReceiptHandle is empty');
  return problems;
};

const numberProblems = (settings: Record<string, unknown>): string[] =>
  Object.entries(bounds).flatMap(([name, [least, most]]) => {
    const number = settings[name];
    if (number === undefined) return [];
    const isAllowed = Number.isInteger(Number(number)) && Number(number) >= least && Number(number) <= most;
    return isAllowed ? [] : [`numbers: ${name} is ${number}, not ${least} to ${most}`];
  });
