export { askDynamo, waitForServer } from './dynamodb/ask-dynamo.ts';
export { hasDynamoBinary, thisPlatform } from './dynamodb/dynamo-binary.ts';
export { ensureTables } from './dynamodb/ensure-tables.ts';
export { type Dynamo, type DynamoOptions, startDynamo } from './dynamodb/start-dynamo.ts';
export { sweepExpired } from './dynamodb/sweep-expired.ts';
export { type EnsuredQueues, ensureQueue, ensureQueues, type QueueDefinition } from './sqs/ensure-queues.ts';
export { type PollQueueOptions, pollQueue } from './sqs/poll-queue.ts';
export {
  type SqsBatchResponse,
  type SqsEvent,
  type SqsHandler,
  type SqsRecord,
  toSqsRecord,
} from './sqs/sqs-event.ts';
export { type Queues, startQueues } from './sqs/start-queues.ts';
export { type EmbeddedAws, type EmbeddedAwsOptions, startEmbeddedAws } from './start-embedded-aws.ts';
