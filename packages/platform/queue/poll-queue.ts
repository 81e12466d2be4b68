import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { delay } from '../clock.ts';
import { createGroupShares } from './group-shares.ts';
import { isHandled, type SqsHandler, toSqsRecord } from './sqs-event.ts';

interface PollQueueOptions {
  sqs: SQSClient;
  queueUrl: string;
  queueArn: string;
  /** Called with one record each time. */
  handler: SqsHandler;
  /** How many handlers may run at the same time. The groups of messages share them. */
  concurrency: number;
  /** How long a received message stays hidden unless the handler changes it. Default: the queue's own time. */
  visibilityTimeoutSeconds?: number;
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

/** How long a received message waits for its group's share before it is put back. Others are received after it. */
const waitInHandMilliseconds = 250;
/** A message is put back for longer each time, because the queue counts its receives. */
const maxPutBackSeconds = 20;

/**
 * Receives messages and calls the handler, as Lambda's event source mapping does with batches of 1 and partial batch
 * responses. A message that was handled is deleted. A failed one comes back when its visibility timeout ends. Resolves
 * once the signal has aborted and the last handler has ended.
 */
export async function pollQueue(options: PollQueueOptions): Promise<void> {
  const { concurrency, signal, onError, wait = delay } = options;
  const inFlight = new Set<Promise<void>>();
  const shares = createGroupShares(concurrency);
  const start = (message: Message): boolean => {
    const group = message.Attributes?.MessageGroupId;
    if (!shares.take(group)) return false;
    const handling = handle(options, message).finally(() => {
      inFlight.delete(handling);
      shares.giveBack(group);
    });
    inFlight.add(handling);
    return true;
  };
  let failures = 0;
  while (!signal.aborted) {
    if (shares.isFull()) {
      await Promise.race(inFlight);
      continue;
    }
    try {
      const messages = await receive(options, Math.min(shares.room(), maxReceivedAtOnce));
      const inHand = messages.filter((message) => !start(message));
      if (inHand.length > 0) {
        await Promise.race([...inFlight, delay(waitInHandMilliseconds, signal).catch(() => undefined)]);
        const late = inHand.filter((message) => signal.aborted || !start(message));
        await Promise.all(late.map((message) => putBack(options, message)));
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

async function receive(options: PollQueueOptions, limit: number): Promise<Message[]> {
  const { sqs, queueUrl, signal, visibilityTimeoutSeconds } = options;
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: limit,
    WaitTimeSeconds: longPollSeconds,
    VisibilityTimeout: visibilityTimeoutSeconds,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  // The client's own time limit may be shorter than the long poll.
  const requestTimeout = (longPollSeconds + 10) * 1000;
  return (await sqs.send(command, { abortSignal: signal, requestTimeout })).Messages ?? [];
}

async function putBack({ sqs, queueUrl, signal }: PollQueueOptions, message: Message): Promise<void> {
  const receives = Number(message.Attributes?.ApproximateReceiveCount ?? 1);
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: message.ReceiptHandle,
      VisibilityTimeout: signal.aborted ? 0 : Math.min(receives, maxPutBackSeconds),
    }),
  );
}

async function handle(options: PollQueueOptions, message: Message): Promise<void> {
  const { sqs, queueUrl, queueArn, handler, onError } = options;
  try {
    if (!isHandled(await handler({ Records: [toSqsRecord(message, queueArn)] }))) return;
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: message.ReceiptHandle }));
  } catch (error) {
    onError?.(error);
  }
}
