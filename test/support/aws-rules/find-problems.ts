import { attributeValueProblems } from './dynamodb/attribute-values.ts';
import { batchProblems } from './dynamodb/batches.ts';
import { documentPathProblems } from './dynamodb/document-paths.ts';
import { itemSizeProblems } from './dynamodb/item-size.ts';
import { keyConditionProblems } from './dynamodb/key-conditions.ts';
import { keyValueProblems } from './dynamodb/key-values.ts';
import { operandProblems } from './dynamodb/operands.ts';
import { parameterProblems } from './dynamodb/parameters.ts';
import { placeholderProblems } from './dynamodb/placeholders.ts';
import { readProblems } from './dynamodb/reads.ts';
import { timeToLiveProblems } from './dynamodb/time-to-live.ts';
import { updateProblems } from './dynamodb/updates.ts';
import { bucketProblems } from './s3/buckets.ts';
import { objectProblems } from './s3/objects.ts';
import { uploadProblems } from './s3/uploads.ts';
import type { Rule, Sent } from './sent.ts';
import { batchProblems as messageBatchProblems } from './sqs/batches.ts';
import { messageProblems } from './sqs/messages.ts';
import { settingProblems } from './sqs/settings.ts';

const rules = {
  DynamoDBClient: [
    parameterProblems,
    placeholderProblems,
    documentPathProblems,
    operandProblems,
    updateProblems,
    keyValueProblems,
    keyConditionProblems,
    readProblems,
    attributeValueProblems,
    itemSizeProblems,
    timeToLiveProblems,
    batchProblems,
  ],
  SQSClient: [messageProblems, messageBatchProblems, settingProblems],
  S3Client: [bucketProblems, objectProblems, uploadProblems],
} satisfies Record<string, Rule[]>;

/** The rules of AWS that this command breaks. A client of another service has none. */
export const findProblems = (client: string, sent: Sent): string[] =>
  (rules[client as keyof typeof rules] ?? []).flatMap((rule) => rule(sent));
