import {
  type AuthenticatedEnv,
  DomainError,
  describeError,
  type HttpEnv,
  isAwsTrouble,
  isDomainError,
  nextWithHeaders,
  type Principal,
  type RouteFamily,
  setHeaders,
} from '@errand/platform';
import type { Context, MiddlewareHandler } from 'hono';
import { authenticateRequest } from './authenticate.ts';
import { countRequest, readWindow } from './count-request.ts';
import type { AccountsDeps } from './deps.ts';
import { checkRoute } from './key-limits.ts';
import { type RateWindow, rateHeaders } from './rate.ts';

/**
 * Refuses a missing or unknown key (`unauthorized`), counts the request (`rate_limited`), then refuses a key that may not
 * use the family of routes (`route_forbidden`); routes without one are open to every key. Sets `c.var.principal` and, on
 * every answer to a known key, the rate headers.
 */
export function requireKey(deps: AccountsDeps, family?: RouteFamily): MiddlewareHandler<AuthenticatedEnv> {
  return async (c, next) => {
    const principal = await authenticateRequest(deps, c);
    c.set('principal', principal);
    const count = c.req.method === 'GET' || c.req.method === 'HEAD' ? countRead : countRequest;
    const headers = setRateHeaders(c, await count(deps, principal));
    if (family) checkRoute(principal, family);
    await nextWithHeaders(c, headers, next);
  };
}

/**
 * Counts a request that only reads. Where the store cannot write but can read (a full disk), the request is held to what
 * was counted before.
 */
async function countRead(deps: AccountsDeps, principal: Principal): Promise<RateWindow> {
  try {
    return await countRequest(deps, principal);
  } catch (error) {
    if (!isAwsTrouble(error)) throw error;
    const window = await readWindow(deps, principal);
    deps.log.warn('request not counted', { accountId: principal.accountId, ...describeError(error) });
    return window;
  }
}

/** For paths and methods without a route. Counts a request with a known key. Throws `rate_limited`. */
export function countUnrouted(deps: AccountsDeps): (c: Context<HttpEnv>) => Promise<void> {
  return async (c) => {
    try {
      const principal = await authenticateRequest(deps, c);
      setRateHeaders(c, await countRequest(deps, principal));
    } catch (error) {
      if (!isDomainError(error, 'unauthorized')) throw error;
    }
  };
}

/** Sets and returns the rate headers, then throws `rate_limited` if the request is over the limit. */
export function setRateHeaders(c: Pick<Context, 'header'>, window: RateWindow): Record<string, string> {
  const headers = rateHeaders(window);
  setHeaders(c, headers);
  if (window.exceeded) throw new DomainError('rate_limited', { retryAfterSeconds: window.resetSeconds });
  return headers;
}
