/** What tests of other rooms reach of this one. Nothing else imports it. */
export { findFreePort } from './aws/dynamodb/find-free-port.ts';
export { startBoundProcess } from './aws/dynamodb/start-bound-process.ts';
export { startDynamo } from './aws/dynamodb/start-dynamo.ts';
export type { EmbeddedAws, EmbeddedAwsOptions } from './aws/start-embedded-aws.ts';
export { localCatalogue } from './local-catalogue.ts';
export { type LocalQueues, localQueues } from './queues.ts';
export { runningService } from './service-file.ts';
export { awsSettings, localQueueNames } from './settings.ts';
export { startWorker } from './start-worker.ts';
export { startTicking } from './ticking.ts';
