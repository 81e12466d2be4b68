import { type CountedWindow, type Purse, windowAttribute } from '@errand/money';
import { type KeyLimits, limits, toSeconds } from '@errand/platform';
import type { AccountsDeps } from './deps.ts';

export interface RateWindow {
  limit: number;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
  exceeded: boolean;
}

interface Counted {
  keyId: string;
  limits?: KeyLimits;
}

type RateDeps = Pick<AccountsDeps, 'clock' | 'rateLimitRequests'>;

function currentWindow({ clock }: Pick<RateDeps, 'clock'>) {
  const nowSeconds = toSeconds(clock());
  const startSeconds = nowSeconds - (nowSeconds % limits.windowSeconds);
  return { startSeconds, resetSeconds: startSeconds + limits.windowSeconds - nowSeconds };
}

/** The windows that count a request of the key at present: the account's, then the key's own if it has a rate. */
export function windowsOf(deps: RateDeps, { keyId, limits: own }: Counted): CountedWindow[] {
  const { startSeconds } = currentWindow(deps);
  const ofAccount = { name: windowAttribute(startSeconds), limit: deps.rateLimitRequests };
  return own?.rate === undefined
    ? [ofAccount]
    : [ofAccount, { name: windowAttribute(startSeconds, keyId), limit: own.rate }];
}

/**
 * The rate that a request is told: that of the window with the least left. `later` requests were counted after this
 * request.
 */
export function rateWindow(
  deps: RateDeps,
  windows: readonly CountedWindow[],
  purse: Pick<Purse, 'windows'>,
  { counted, later }: { counted: boolean; later(name: string): number },
): RateWindow {
  const { resetSeconds } = currentWindow(deps);
  const all = windows.map(({ name, limit }) => {
    const requests = (purse.windows.get(name) ?? 0) - later(name);
    return { limit, remaining: counted ? Math.max(0, limit - requests) : 0 };
  });
  const [first, ...others] = all as [(typeof all)[number], ...typeof all];
  const tightest = others.reduce((one, other) => (other.remaining < one.remaining ? other : one), first);
  return { ...tightest, resetSeconds, exceeded: !counted };
}

export const rateHeaders = ({ limit, remaining, resetSeconds }: RateWindow): Record<string, string> => ({
  'RateLimit-Policy': `${limit};w=${limits.windowSeconds}`,
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});
