import {
  createCombiner,
  describeError,
  isAwsTrouble,
  limits,
  perConnection,
  toSeconds,
} from '@errand/platform';
import type { AccountsDeps } from './deps.ts';
import { addRequests, readRequests } from './store.ts';

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

/**
 * Counts a request that only reads. Where the store cannot write but can read (a full disk), the request is held to what
 * was counted before.
 */
export async function countRead(deps: AccountsDeps, accountId: string): Promise<RateWindow> {
  try {
    return await countRequest(deps, accountId);
  } catch (error) {
    if (!isAwsTrouble(error)) throw error;
    const current = currentWindow(deps);
    const requests = await readRequests(deps, accountId, current.startSeconds);
    deps.log.warn('request not counted', { accountId, ...describeError(error) });
    return toWindow(deps, current, requests + 1);
  }
}

function currentWindow({ clock }: Pick<RateDeps, 'clock'>) {
  const nowSeconds = toSeconds(clock());
  const startSeconds = nowSeconds - (nowSeconds % limits.windowSeconds);
  const endSeconds = startSeconds + limits.windowSeconds;
  return { startSeconds, endSeconds, resetSeconds: endSeconds - nowSeconds };
}

const toWindow = (
  { rateLimitRequests: limit }: RateDeps,
  { resetSeconds }: ReturnType<typeof currentWindow>,
  requests: number,
): RateWindow => ({
  limit,
  remaining: Math.max(0, limit - requests),
  resetSeconds,
  exceeded: requests > limit,
});

async function countTogether(group: readonly CountedRequest[]): Promise<RateWindow[]> {
  const [{ deps, accountId }] = group as [CountedRequest];
  const current = currentWindow(deps);
  const { startSeconds, endSeconds } = current;
  const window = { startSeconds, expiresAtSeconds: endSeconds + limits.windowSeconds };
  const before = (await addRequests(deps, accountId, window, group.length)) - group.length;
  return group.map((one, index) => toWindow(one.deps, current, before + index + 1));
}

export const rateHeaders = ({ limit, remaining, resetSeconds }: RateWindow): Record<string, string> => ({
  'RateLimit-Policy': `${limit};w=${limits.windowSeconds}`,
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});
