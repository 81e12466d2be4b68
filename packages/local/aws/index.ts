export { askDynamo, waitForServer } from './dynamodb/ask-dynamo.ts';
export { hasDynamoBinary, thisPlatform } from './dynamodb/dynamo-binary.ts';
export { ensureTables } from './dynamodb/ensure-tables.ts';
export { sweepExpired } from './dynamodb/sweep-expired.ts';
export { type EnsuredQueues, ensureQueue, ensureQueues } from './sqs/ensure-queues.ts';
export { type EmbeddedAws, startEmbeddedAws } from './start-embedded-aws.ts';
