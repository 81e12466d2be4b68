import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { limits, toSeconds } from '@errand/platform';
import type { AccountsDeps } from './deps.ts';
import { itemKeys } from './store.ts';

export interface RateWindow {
  limit: number;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
  exceeded: boolean;
}

type RateDeps = Pick<AccountsDeps, 'dynamodb' | 'tables' | 'clock' | 'rateLimitRequests'>;

/** Counts one request of the account in the current window, by one atomic update. */
export async function countRequest(deps: RateDeps, accountId: string): Promise<RateWindow> {
  const nowSeconds = toSeconds(deps.clock());
  const startSeconds = nowSeconds - (nowSeconds % limits.windowSeconds);
  const endSeconds = startSeconds + limits.windowSeconds;
  const { Attributes: counted } = await deps.dynamodb.send(
    new UpdateCommand({
      TableName: deps.tables.accounts,
      Key: itemKeys.rateWindow(accountId, startSeconds),
      UpdateExpression: 'ADD requests :one SET expiresAtSeconds = :expires',
      ExpressionAttributeValues: { ':one': 1, ':expires': endSeconds + limits.windowSeconds },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  const requests: number = counted?.requests;
  const limit = deps.rateLimitRequests;
  return {
    limit,
    remaining: Math.max(0, limit - requests),
    resetSeconds: endSeconds - nowSeconds,
    exceeded: requests > limit,
  };
}

export const rateHeaders = ({ limit, remaining, resetSeconds }: RateWindow): Record<string, string> => ({
  'RateLimit-Policy': `${limit};w=${limits.windowSeconds}`,
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});
