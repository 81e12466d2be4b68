import { createCombiner, limits, toSeconds } from '@errand/platform';
import type { AccountsDeps } from './deps.ts';
import { perConnection } from './per-connection.ts';
import { addRequests } from './store.ts';

export interface RateWindow {
  limit: number;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
  exceeded: boolean;
}

type RateDeps = Pick<AccountsDeps, 'dynamodb' | 'tables' | 'clock' | 'rateLimitRequests'>;

interface CountedRequest {
  deps: RateDeps;
  accountId: string;
}

const largestGroup = 1_000;
const counterOf = perConnection(() => createCombiner(countTogether, largestGroup));

/**
 * Counts one request of the account in the current window. Simultaneous requests of an account are counted by one
 * atomic update, and each gets its own `remaining`.
 */
export const countRequest = (deps: RateDeps, accountId: string): Promise<RateWindow> =>
  counterOf(deps)(accountId, { deps, accountId });

async function countTogether(group: readonly CountedRequest[]): Promise<RateWindow[]> {
  const [{ deps, accountId }] = group as [CountedRequest];
  const nowSeconds = toSeconds(deps.clock());
  const startSeconds = nowSeconds - (nowSeconds % limits.windowSeconds);
  const endSeconds = startSeconds + limits.windowSeconds;
  const window = { startSeconds, expiresAtSeconds: endSeconds + limits.windowSeconds };
  const before = (await addRequests(deps, accountId, window, group.length)) - group.length;
  return group.map(({ deps: { rateLimitRequests: limit } }, index) => {
    const requests = before + index + 1;
    return {
      limit,
      remaining: Math.max(0, limit - requests),
      resetSeconds: endSeconds - nowSeconds,
      exceeded: requests > limit,
    };
  });
}

export const rateHeaders = ({ limit, remaining, resetSeconds }: RateWindow): Record<string, string> => ({
  'RateLimit-Policy': `${limit};w=${limits.windowSeconds}`,
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});
