import { queueNumbers } from '@errand/platform';

export interface Queues {
  work: sst.aws.Queue;
  deadLetters: sst.aws.Queue;
}

/** The work queue, for runs and deferred charges, and its dead-letter queue. */
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
  return { work, deadLetters };
}
