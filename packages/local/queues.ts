import type { SQSClient } from '@aws-sdk/client-sqs';
import { queueNumbers } from '@errand/platform';
import { type EnsuredQueues, ensureQueues } from './aws/index.ts';
import { localQueue } from './settings.ts';

export type LocalQueues = EnsuredQueues;

export const localQueues = (sqs: SQSClient): Promise<LocalQueues> =>
  ensureQueues(sqs, { ...localQueue, ...queueNumbers });
