import * as numbers from './queue-numbers.ts';

export interface Queues {
  work: sst.aws.Queue;
  deadLetters: sst.aws.Queue;
}

/** Work on runs, and charges that could not be written at once; what fails too often goes to the dead letters. */
export function createQueue(): Queues {
  const deadLetters = new sst.aws.Queue('DeadLetters', {
    visibilityTimeout: `${numbers.deadLetterVisibilitySeconds} seconds`,
    transform: { queue: { messageRetentionSeconds: numbers.retentionSeconds } },
  });
  const work = new sst.aws.Queue('Work', {
    visibilityTimeout: `${numbers.visibilityTimeoutSeconds} seconds`,
    dlq: { queue: deadLetters.arn, retry: numbers.maxReceiveCount },
    transform: { queue: { messageRetentionSeconds: numbers.retentionSeconds } },
  });
  return { work, deadLetters };
}
