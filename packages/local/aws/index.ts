export { findDynamoBinary } from './dynamodb/dynamo-binary.ts';
export { ensureTables } from './dynamodb/ensure-tables.ts';
export { type Dynamo, type DynamoOptions, startDynamo } from './dynamodb/start-dynamo.ts';
export { sweepExpired } from './dynamodb/sweep-expired.ts';
export { type EnsuredQueues, ensureQueues, type QueueDefinition } from './sqs/ensure-queues.ts';
export { type PollQueueOptions, pollQueue } from './sqs/poll-queue.ts';
export type { SqsBatchResponse, SqsEvent, SqsHandler, SqsRecord } from './sqs/sqs-event.ts';
export { type Queues, startQueues } from './sqs/start-queues.ts';
export { type EmbeddedAws, type EmbeddedAwsOptions, startEmbeddedAws } from './start-embedded-aws.ts';
