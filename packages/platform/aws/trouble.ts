import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { FunctionFailure } from './invoke.ts';

const throttles = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  'TransactionInProgressException',
  'SlowDown',
  'RequestThrottled',
  'TooManyRequestsException',
]);

const unanswered = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // This process has no room for another connection.
  'EMFILE',
  'ENFILE',
]);

/**
 * Whether the error is a failure of AWS, or of the way to it, and not of the work: a fault, throttling, a conflict or no
 * answer. The same work may succeed later.
 */
export function isAwsTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, $fault, $metadata } = error as Error & {
    code?: unknown;
    $fault?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  return (
    $fault === 'server' ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    throttles.has(name) ||
    name === 'TimeoutError' ||
    (typeof code === 'string' && unanswered.has(code)) ||
    error instanceof TransactionCanceledException ||
    error instanceof FunctionFailure
  );
}
