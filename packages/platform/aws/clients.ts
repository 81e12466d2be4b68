import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AwsSettings } from '../config.ts';
import { createRequestHandler } from './request-handler.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { createJsonSigner } from './sign.ts';

export interface AwsClients {
  dynamodb: DynamoDBDocumentClient;
  sqs: SQSClient;
}

/** Middleware for logs and headers that nobody reads. It takes a fifth of the CPU time of a DynamoDB request. */
const unneeded = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** Lambda and local mode use the same clients: only their endpoints and credentials differ. */
export function createAwsClients(
  settings: Pick<AwsSettings, 'region' | 'endpoints' | 'credentials'>,
): AwsClients {
  const { region, endpoints, credentials } = settings;
  const shared = {
    region,
    ...(credentials && { credentials }),
    maxAttempts: 5,
  };
  const newHandler = () =>
    createRequestHandler({ connectMilliseconds: 2_000, waitMilliseconds: 10_000, answerMilliseconds: 5_000 });
  const dynamodb: DynamoDBClient = new DynamoDBClient({
    ...shared,
    ...(endpoints.dynamodb && { endpoint: endpoints.dynamodb }),
    requestHandler: newHandler(),
    signer: createJsonSigner({
      credentials: () => dynamodb.config.credentials(),
      region: () => dynamodb.config.region(),
      service: 'dynamodb',
    }),
  });
  for (const name of unneeded) dynamodb.middlewareStack.remove(name);
  retryConflicts(dynamodb);
  const sqs = new SQSClient({
    ...shared,
    ...(endpoints.sqs && { endpoint: endpoints.sqs }),
    requestHandler: newHandler(),
  });
  return {
    dynamodb: DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } }),
    sqs,
  };
}
