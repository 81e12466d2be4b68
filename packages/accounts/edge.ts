import {
  type AuthenticatedEnv,
  answerOf,
  DomainError,
  type HttpEnv,
  isDomainError,
  keepHeaders,
  nextWithHeaders,
  plainErrors,
  type RouteFamily,
  sendError,
  setHeaders,
} from '@errand/platform';
import type { Context, MiddlewareHandler } from 'hono';
import { type Admission, hadPlenty, rememberPlenty } from './admission.ts';
import { authenticate } from './authenticate.ts';
import { requireCredits } from './credits.ts';
import type { AccountsDeps } from './deps.ts';
import { checkRoute } from './key-limits.ts';
import { countRead, countRequest, type RateWindow, rateHeaders } from './rate.ts';

/**
 * Refuses a missing or unknown key (`unauthorized`), counts the request (`rate_limited`), then refuses a key that may not
 * use the family of routes (`route_forbidden`); routes without one are open to every key. Sets `c.var.principal` and, on
 * every answer to a known key, the rate headers.
 */
export function requireKey(deps: AccountsDeps, family?: RouteFamily): MiddlewareHandler<AuthenticatedEnv> {
  return async (c, next) => {
    const principal = await authenticate(deps, c.req.header('Authorization'));
    c.set('principal', principal);
    const count = c.req.method === 'GET' || c.req.method === 'HEAD' ? countRead : countRequest;
    const headers = setRateHeaders(c, await count(deps, principal.accountId));
    if (family) checkRoute(principal, family);
    await nextWithHeaders(c, headers, next);
  };
}

/** The context of routes behind `requireKeyAndCredits`. */
export interface PayingEnv extends AuthenticatedEnv {
  Variables: AuthenticatedEnv['Variables'] & { admission: Admission };
}

/**
 * Does what `requireKey` does, and reads the credits at the same time. The route must send no result before
 * `c.var.admission.credits` has resolved. If the route refuses a request that is also over the rate limit, the answer
 * is `rate_limited`.
 */
export function requireKeyAndCredits(deps: AccountsDeps): MiddlewareHandler<PayingEnv> {
  return async (c, next) => {
    const principal = await authenticate(deps, c.req.header('Authorization'));
    c.set('principal', principal);
    const likely = hadPlenty(deps, principal.accountId);
    const counting = countRequest(deps, principal.accountId);
    const reading = requireCredits(deps, principal);
    void rememberPlenty(deps, principal.accountId, [counting, reading]);
    const counted = counting.then((window) => setRateHeaders(c, window));
    const credits = counted.then(() => reading);
    credits.catch(() => {});
    c.set('admission', { credits, likely });
    if (!likely) await counted;
    await next();
    keepHeaders(c, await counted);
  };
}

/**
 * For paths and methods without a route. Counts a request with a known key. Returns the refusal if the request is over
 * the rate limit, otherwise undefined.
 */
export function countUnrouted(deps: AccountsDeps): (c: Context<HttpEnv>) => Promise<Response | undefined> {
  return async (c) => {
    try {
      const principal = await authenticate(deps, c.req.header('Authorization'));
      setRateHeaders(c, await countRequest(deps, principal.accountId));
      return undefined;
    } catch (error) {
      if (isDomainError(error, 'unauthorized')) return undefined;
      if (isDomainError(error, 'rate_limited')) return sendError(c, answerOf(plainErrors, error));
      throw error;
    }
  };
}

/** Sets and returns the rate headers, then throws `rate_limited` if the request is over the limit. */
function setRateHeaders(c: Pick<Context, 'header'>, window: RateWindow): Record<string, string> {
  const headers = rateHeaders(window);
  setHeaders(c, headers);
  if (window.exceeded) throw new DomainError('rate_limited', { retryAfterSeconds: window.resetSeconds });
  return headers;
}
