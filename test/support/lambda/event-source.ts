import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  type ReceiveMessageResult,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { createSemaphore } from '@errand/platform';
import { type SqsRecord, toSqsRecord } from '@errand/platform/testing';
import { createEnvironments, type Environment } from './environments.ts';
import type { Invocation } from './runtime-api.ts';

/** A batch that was delivered. What was not deleted comes back when it is visible again. */
export interface Delivered {
  pid: number;
  messageIds: readonly string[];
  /** `done`, `failed` (an error, or an answer that cannot be read), `timed out`, or how the environment ended. */
  end: string;
  /** What the mapping has deleted. */
  deleted: readonly string[];
}

interface EventSourceOptions {
  sqs: SQSClient;
  queueUrl: string;
  queueArn: string;
  batchSize: number;
  maximumConcurrency: number;
  /** The time of an invocation, by its number from 1: an environment that is not done by then is killed. */
  timeoutMilliseconds(number: number): number;
  start(): Promise<Environment>;
  /** Whether the batch is delivered a second time while the first is worked on. */
  deliversTwice?(messageIds: readonly string[]): boolean;
}

export interface EventSource {
  /** The environments that live, at work or frozen. */
  environments(): Environment[];
  delivered: readonly Delivered[];
  /** Receives no more, waits for the invocations, and ends the environments. */
  stop(): Promise<void>;
}

/** AWS polls a queue with so many at first, and a request brings so many messages at most. */
const pollers = 5;
const mostReceived = 10;
const longPollSeconds = 20;

/**
 * A queue's event source mapping without a batching window, with partial batch responses, as AWS documents it: a batch is
 * what one receive brings, and no message is received before an invocation is free for it.
 */
export function startEventSource(options: EventSourceOptions): EventSource {
  const { batchSize, maximumConcurrency, deliversTwice } = options;
  if (batchSize > mostReceived) throw new Error('a batch of more than 10 messages needs a batching window');
  if (maximumConcurrency < 2 || maximumConcurrency > 1_000) throw new Error('AWS takes 2 to 1,000');
  const stopping = new AbortController();
  const { signal } = stopping;
  const delivered: Delivered[] = [];
  const environments = createEnvironments(options.start);
  const places = createSemaphore(maximumConcurrency);
  const underWay = new Set<Promise<void>>();

  let invocations = 0;
  const deliver = async (records: readonly SqsRecord[]) => {
    const environment = await environments.take();
    const milliseconds = options.timeoutMilliseconds(++invocations);
    const { end, kept } = await invoke(environment, records, milliseconds);
    const gone = records.filter(({ messageId }) => !kept.has(messageId));
    await remove(options, gone);
    delivered.push({ pid: environment.pid, messageIds: idsOf(records), end, deleted: idsOf(gone) });
    environments.giveBack(environment);
  };
  const begin = (records: readonly SqsRecord[], leave?: () => void) => {
    const one = deliver(records).finally(() => {
      underWay.delete(one);
      leave?.();
    });
    underWay.add(one);
  };
  const poll = async () => {
    for (;;) {
      const leave = await places.take({ signal }).catch(() => undefined);
      if (!leave) return;
      const records = await receive(options, signal);
      if (records.length === 0) leave();
      else begin(records, leave);
      if (records.length > 0 && deliversTwice?.(idsOf(records))) begin(records);
    }
  };
  const polls = Array.from({ length: pollers }, poll);
  return {
    environments: environments.living,
    delivered,
    async stop() {
      stopping.abort();
      await Promise.all(polls);
      await Promise.all(underWay);
      await Promise.all(environments.living().map((each) => each.stop()));
    },
  };
}

const idsOf = (records: readonly SqsRecord[]) => records.map(({ messageId }) => messageId);

async function receive({ sqs, queueUrl, queueArn, batchSize }: EventSourceOptions, signal: AbortSignal) {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds: longPollSeconds,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  const requestTimeout = (longPollSeconds + 10) * 1000;
  const receiving = sqs.send(command, { abortSignal: signal, requestTimeout });
  const { Messages = [] } = await receiving.catch(
    (error: unknown): Pick<ReceiveMessageResult, 'Messages'> => {
      if (!signal.aborted) throw error;
      return {};
    },
  );
  return Messages.map((message) => toSqsRecord(message, queueArn));
}

interface End {
  end: string;
  /** The messages that are not to be deleted. */
  kept: ReadonlySet<string>;
}

async function invoke(
  environment: Environment,
  records: readonly SqsRecord[],
  milliseconds: number,
): Promise<End> {
  const all = new Set(idsOf(records));
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('timed out'), milliseconds);
  const invocation = environment.invoke({ Records: records }, { milliseconds });
  const ended = await Promise.race([answerOf(invocation, all), environment.ended, late.promise]);
  clearTimeout(timer);
  if (typeof ended !== 'string') return { end: 'done', kept: ended };
  if (ended === 'timed out') await environment.stop();
  return { end: ended, kept: all };
}

/** The messages that the function wants to keep, by AWS's rules: an answer that names others, or none well, has failed. */
async function answerOf(
  { chunks, failure }: Invocation,
  all: ReadonlySet<string>,
): Promise<ReadonlySet<string> | 'failed'> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of chunks) pieces.push(piece);
    if (await failure) return 'failed';
    const answer = JSON.parse(Buffer.concat(pieces).toString() || 'null') as Answer | null;
    const kept = (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
    return kept.every((id) => all.has(id)) ? new Set(kept) : 'failed';
  } catch {
    return 'failed';
  }
}

interface Answer {
  batchItemFailures?: { itemIdentifier: string }[] | null;
}

async function remove({ sqs, queueUrl }: EventSourceOptions, records: readonly SqsRecord[]): Promise<void> {
  if (records.length === 0) return;
  const Entries = records.map(({ receiptHandle }, i) => ({ Id: String(i), ReceiptHandle: receiptHandle }));
  // A message that the function has deleted itself is gone already.
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
}
