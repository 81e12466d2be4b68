import type { SQSClient } from '@aws-sdk/client-sqs';
import { queueNumbers } from '@errand/platform';
import { type EnsuredQueues, ensureQueue, ensureQueues } from './aws/index.ts';
import { localQueueNames } from './settings.ts';

export interface LocalQueues extends EnsuredQueues {
  webhookQueueUrl: string;
}

export async function localQueues(
  sqs: SQSClient,
  { webhookQueue, ...names } = localQueueNames,
): Promise<LocalQueues> {
  const [queues, webhooks] = await Promise.all([
    ensureQueues(sqs, { ...names, ...queueNumbers }),
    ensureQueue(sqs, webhookQueue, {
      VisibilityTimeout: String(queueNumbers.webhookVisibilitySeconds),
    }),
  ]);
  return { ...queues, webhookQueueUrl: webhooks.url };
}
