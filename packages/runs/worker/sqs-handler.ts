import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import { describeError, pollQueue, type SqsRecord } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import { noteShared } from '../lease.ts';
import type { Delivery, Handled, TakingWindow, WorkWindow } from './delivery.ts';
import type { WorkerDeps } from './deps.ts';
import { giveUp } from './give-up.ts';
import { handleMessage } from './handle-message.ts';
import { createRunLock } from './run-lock.ts';

type QueueRecord = Pick<SqsRecord, 'messageId' | 'receiptHandle' | 'body'> & {
  attributes: { ApproximateReceiveCount?: string };
};

interface SqsEvent<Of = QueueRecord> {
  Records: readonly Of[];
}

interface BatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

const lockOf = (deps: WorkerDeps) => createRunLock((agentId, token) => noteShared(deps, agentId, token));

/** The consumer of the queue. It reports each message that must stay in the queue as failed. */
export const queueHandler = (deps: WorkerDeps, runLock = lockOf(deps)) => {
  return (event: SqsEvent, window: WorkWindow): Promise<BatchResponse> =>
    handleEach(event, (record) => handleMessage({ ...deps, runLock }, deliveryOf(deps, record), window));
};

/** How a process receives the queue's messages itself. */
export const receiving = ({ sqs, queueUrl, leaseMilliseconds, log }: WorkerDeps) => ({
  sqs,
  queueUrl,
  // If a process dies while it receives a message, the message must come back no later than a run would.
  visibilityTimeoutSeconds: Math.ceil(leaseMilliseconds / 1000),
  onError: (error: unknown) => log.error('queue failed', describeError(error)),
});

/** A receive waits so long at most. The invocation's last one is not broken off: what it was about to bring would be hidden for a lease. */
const waitSeconds = 2;
/** Each message that is put back costs three requests. */
const inHandMilliseconds = 1_000;

/**
 * The consumer of the queue in a function, for so many runs beside each other. AWS does not fill a batch again: while the
 * invocation has work and free places it receives further messages itself. Each message is deleted when it is handled,
 * because the invocation's answer may come a quarter of an hour later.
 */
export const invocationHandler = (deps: WorkerDeps, places: number) => {
  const runLock = lockOf(deps);
  const work = queueHandler(deps, runLock);
  return async ({ Records }: SqsEvent<SqsRecord>, window: TakingWindow): Promise<BatchResponse> => {
    const given = new Set(Records.map(({ receiptHandle }) => receiptHandle));
    const failed: BatchResponse = { batchItemFailures: [] };
    let inWork = 0;
    let hadSeveral = false;
    const within = { ...window, isLeftAlone: () => hadSeveral && inWork === 1 && !window.takes() };
    await pollQueue({
      ...receiving(deps),
      concurrency: places,
      waitSeconds,
      inHandMilliseconds,
      first: Records,
      takes: () => inWork > 0 && window.takes() && !runLock.isShut(),
      signal: window.abandon,
      async handler(event) {
        inWork++;
        hadSeveral ||= inWork > 1;
        const handled = await work(event, within).finally(() => inWork--);
        if (event.Records.some(({ receiptHandle }) => given.has(receiptHandle)))
          failed.batchItemFailures.push(...handled.batchItemFailures);
        return handled;
      },
    });
    return failed;
  };
};

/** The consumer of the dead-letter queue. It reports messages as `queueHandler` does. */
export const deadLetterHandler =
  (deps: RunsDeps) =>
  (event: SqsEvent): Promise<BatchResponse> =>
    handleEach(event, (record) => giveUp(deps, record.body));

async function handleEach(
  event: SqsEvent,
  handle: (record: QueueRecord) => Promise<Handled>,
): Promise<BatchResponse> {
  const handled = await Promise.all(event.Records.map(handle));
  const failed = event.Records.filter((_, i) => handled[i] === 'again');
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

const deliveryOf = (deps: WorkerDeps, record: QueueRecord): Delivery => ({
  body: record.body,
  receiveCount: Number(record.attributes.ApproximateReceiveCount ?? 1),
  async hideFor(seconds) {
    await deps.sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: deps.queueUrl,
        ReceiptHandle: record.receiptHandle,
        VisibilityTimeout: Math.min(seconds, maxVisibilitySeconds),
      }),
    );
  },
});

const maxVisibilitySeconds = 43_200;
