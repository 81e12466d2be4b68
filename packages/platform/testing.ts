/** What tests of other rooms reach of this one. Nothing else imports it. */
export { createDocuments } from './aws/documents.ts';
export { internalError } from './http/errors.ts';
export { type SqsHandler, type SqsRecord, toSqsRecord } from './queue/sqs-event.ts';
