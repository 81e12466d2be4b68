import { DynamoDBClient, type TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { delay } from '../clock.ts';
import type { AwsSettings } from '../config.ts';
import { backOff, type Wait } from './backoff.ts';
import { createDocuments } from './documents.ts';
import { createRequestHandler } from './request-handler.ts';
import { createJsonSigner } from './sign.ts';
import { watchWrites } from './watch-writes.ts';

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
    credentials,
    maxAttempts: 5,
  };
  const newHandler = () =>
    createRequestHandler({ connectMilliseconds: 2_000, waitMilliseconds: 10_000, answerMilliseconds: 5_000 });
  const dynamodb: DynamoDBClient = new DynamoDBClient({
    ...shared,
    endpoint: endpoints.dynamodb,
    requestHandler: newHandler(),
    signer: createJsonSigner({
      credentials: () => dynamodb.config.credentials(),
      region: () => dynamodb.config.region(),
      service: 'dynamodb',
    }),
  });
  for (const name of unneeded) dynamodb.middlewareStack.remove(name);
  retryConflicts(dynamodb);
  watchWrites(dynamodb);
  const sqs = new SQSClient({
    ...shared,
    endpoint: endpoints.sqs,
    requestHandler: newHandler(),
  });
  return { dynamodb: createDocuments(dynamodb), sqs };
}

const maxAttempts = 12;

/**
 * Makes the client send a write again that collided with a transaction: up to 12 attempts, with random waits between
 * them. AWS refuses a plain write to an item that a running transaction writes, and cancels a transaction that meets
 * another one or is throttled. The SDK (client-dynamodb 3.1162) retries neither.
 */
export function retryConflicts(client: DynamoDBClient, { wait = delay }: { wait?: Wait } = {}): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await next(args);
        } catch (error) {
          if (attempt === maxAttempts || !isConflict(error)) throw error;
          await backOff({ wait }, attempt);
        }
      }
    },
    // At this step each attempt gets a ClientRequestToken of its own, so AWS takes none for a repetition.
    { step: 'initialize', name: 'retryConflicts' },
  );
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TransactionConflictException') return true;
  if (error.name !== 'TransactionCanceledException') return false;
  const { CancellationReasons } = error as TransactionCanceledException;
  const codes = (CancellationReasons ?? []).map((reason) => reason?.Code ?? '');
  return codes.some((code) => transientCodes.has(code)) && !codes.includes('ConditionalCheckFailed');
}

const transientCodes = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
