import type { SQSClient } from '@aws-sdk/client-sqs';
import { type EnsuredQueues, ensureQueues } from './aws/index.ts';
import { localQueue, maxReceiveCount, visibilityTimeoutSeconds } from './settings.ts';

export type LocalQueues = EnsuredQueues;

export const localQueues = (sqs: SQSClient): Promise<LocalQueues> =>
  ensureQueues(sqs, { ...localQueue, maxReceiveCount, visibilityTimeoutSeconds });
