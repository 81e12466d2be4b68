import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { RunsDeps } from '../deps.ts';
import { noteShared } from '../lease.ts';
import type { Delivery, Handled, WorkWindow } from './delivery.ts';
import type { WorkerDeps } from './deps.ts';
import { giveUp } from './give-up.ts';
import { handleMessage } from './handle-message.ts';
import { createRunLock } from './run-lock.ts';

interface SqsRecord {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: { ApproximateReceiveCount?: string };
}

interface SqsEvent {
  Records: readonly SqsRecord[];
}

interface BatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

/** The consumer of the queue. It reports each message that must stay in the queue as failed. */
export const queueHandler = (deps: WorkerDeps) => {
  const runLock = createRunLock((agentId, token) => noteShared(deps, agentId, token));
  return (event: SqsEvent, window: WorkWindow): Promise<BatchResponse> =>
    handleEach(event, (record) => handleMessage({ ...deps, runLock }, deliveryOf(deps, record), window));
};

/** The consumer of the dead-letter queue. It reports messages as `queueHandler` does. */
export const deadLetterHandler =
  (deps: RunsDeps) =>
  (event: SqsEvent): Promise<BatchResponse> =>
    handleEach(event, (record) => giveUp(deps, record.body));

async function handleEach(
  event: SqsEvent,
  handle: (record: SqsRecord) => Promise<Handled>,
): Promise<BatchResponse> {
  const handled = await Promise.all(event.Records.map(handle));
  const failed = event.Records.filter((_, i) => handled[i] === 'again');
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

const deliveryOf = (deps: WorkerDeps, record: SqsRecord): Delivery => ({
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
