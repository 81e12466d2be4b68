import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { delay } from '../clock.ts';
import { createGroupShares } from './group-shares.ts';
import { isHandled, type SqsHandler, type SqsRecord, toSqsRecord } from './sqs-event.ts';

interface PollQueueOptions {
  sqs: SQSClient;
  queueUrl: string;
  /** Called with one record each time. */
  handler: SqsHandler;
  /** How many handlers may run at the same time. The groups of messages share them. */
  concurrency: number;
  /** How long a received message stays hidden unless the handler changes it. Default: the queue's own time. */
  visibilityTimeoutSeconds?: number;
  /** Messages that were received already. Each has a place, whatever its group's share. */
  first?: readonly SqsRecord[];
  /** Asked before each receive. If it says no, it is asked again when a handler has ended; after the last, the polling ends. */
  takes?: () => boolean;
  /** How long a receive waits for messages. */
  waitSeconds?: number;
  /** How long a received message waits for its group's share before it is put back. Others are received after it. */
  inHandMilliseconds?: number;
  /** Ends the polling. Handlers that have begun run to their end. */
  signal: AbortSignal;
  /** Called when SQS or a handler fails. The polling goes on. */
  onError?: (error: unknown) => void;
  /** Waits after a failed receive. Tests that hold the clock replace it. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const longPollSeconds = 20;
const maxReceivedAtOnce = 10;
const firstBackoffMilliseconds = 100;
const maxBackoffMilliseconds = 5_000;

const usualInHandMilliseconds = 250;
/** A message is put back for longer each time, because the queue counts its receives. */
const maxPutBackSeconds = 20;

/**
 * Receives messages and calls the handler, as Lambda's event source mapping does with batches of 1 and partial batch
 * responses. A message that was handled is deleted. A failed one comes back when its visibility timeout ends. Resolves
 * once the signal has aborted, or no more is taken, and the last handler has ended.
 */
export async function pollQueue(options: PollQueueOptions): Promise<void> {
  const { signal, onError, first = [], takes = () => true, wait = delay } = options;
  const inFlight = new Set<Promise<void>>();
  const shares = createGroupShares(options.concurrency);
  const start = (record: SqsRecord, anyway = false): boolean => {
    const group = record.attributes.MessageGroupId;
    if (!shares.take(group, anyway)) return false;
    const handling = handle(options, record).finally(() => {
      inFlight.delete(handling);
      shares.giveBack(group);
    });
    inFlight.add(handling);
    return true;
  };
  for (const record of first) start(record, true);
  let failures = 0;
  while (!signal.aborted) {
    if (shares.isFull() || !takes()) {
      if (inFlight.size === 0) break;
      await Promise.race(inFlight);
      continue;
    }
    try {
      const records = await receive(options, Math.min(shares.room(), maxReceivedAtOnce));
      const inHand = records.filter((record) => !start(record));
      if (inHand.length > 0) {
        const { inHandMilliseconds = usualInHandMilliseconds } = options;
        await Promise.race([...inFlight, delay(inHandMilliseconds, signal).catch(() => undefined)]);
        const late = inHand.filter((record) => signal.aborted || !start(record));
        await Promise.all(late.map((record) => putBack(options, record)));
      }
      failures = 0;
    } catch (error) {
      if (signal.aborted) break;
      onError?.(error);
      const backoff = Math.min(firstBackoffMilliseconds * 2 ** failures++, maxBackoffMilliseconds);
      await wait(backoff, signal).catch(() => undefined);
    }
  }
  await Promise.all(inFlight);
}

async function receive(options: PollQueueOptions, limit: number): Promise<SqsRecord[]> {
  const { sqs, queueUrl, signal, visibilityTimeoutSeconds, waitSeconds = longPollSeconds } = options;
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: limit,
    WaitTimeSeconds: waitSeconds,
    VisibilityTimeout: visibilityTimeoutSeconds,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  // The client's own time limit may be shorter than the long poll.
  const requestTimeout = (waitSeconds + 10) * 1000;
  const { Messages = [] } = await sqs.send(command, { abortSignal: signal, requestTimeout });
  return Messages.map((message) => toSqsRecord(message));
}

async function putBack({ sqs, queueUrl, signal }: PollQueueOptions, record: SqsRecord): Promise<void> {
  const receives = Number(record.attributes.ApproximateReceiveCount ?? 1);
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: record.receiptHandle,
      VisibilityTimeout: signal.aborted ? 0 : Math.min(receives, maxPutBackSeconds),
    }),
  );
}

async function handle(options: PollQueueOptions, record: SqsRecord): Promise<void> {
  const { sqs, queueUrl, handler, onError } = options;
  try {
    if (!isHandled(await handler({ Records: [record] }))) return;
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: record.receiptHandle }));
  } catch (error) {
    onError?.(error);
  }
}
