import { queueNumbers } from '@errand/platform';

export interface Queues {
  work: sst.aws.Queue;
  deadLetters: sst.aws.Queue;
  webhooks: sst.aws.Queue;
}

/**
 * The work queue, for runs and deferred charges, its dead-letter queue, and the queue of webhooks. The last has no dead
 * letters: its messages are pointers, and a fault of ours is tried again until it is mended.
 */
export function createQueue(): Queues {
  const deadLetters = new sst.aws.Queue('DeadLetters', {
    visibilityTimeout: `${queueNumbers.deadLetterVisibilitySeconds} seconds`,
    transform: { queue: { messageRetentionSeconds: queueNumbers.retentionSeconds } },
  });
  const work = new sst.aws.Queue('Work', {
    visibilityTimeout: `${queueNumbers.visibilityTimeoutSeconds} seconds`,
    dlq: { queue: deadLetters.arn, retry: queueNumbers.maxReceiveCount },
    transform: { queue: { messageRetentionSeconds: queueNumbers.retentionSeconds } },
  });
  const webhooks = new sst.aws.Queue('Webhooks', {
    visibilityTimeout: `${queueNumbers.webhookVisibilitySeconds} seconds`,
    transform: { queue: { messageRetentionSeconds: queueNumbers.retentionSeconds } },
  });
  return { work, deadLetters, webhooks };
}
