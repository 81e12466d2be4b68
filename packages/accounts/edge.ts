import {
  type AuthenticatedEnv,
  answerOf,
  DomainError,
  type HttpEnv,
  isDomainError,
  keepHeaders,
  nextWithHeaders,
  sendError,
  setHeaders,
} from '@errand/platform';
import type { Context, MiddlewareHandler } from 'hono';
import { type Admission, hadPlenty, learnStanding } from './admission.ts';
import { authenticate } from './authenticate.ts';
import { requireCredits } from './credits.ts';
import type { AccountsDeps } from './deps.ts';
import { accountErrors } from './errors.ts';
import { countRequest, type RateWindow, rateHeaders } from './rate.ts';

/**
 * Refuses a missing or unknown key (`unauthorized`), then counts the request (`rate_limited`). Sets `c.var.principal`,
 * and the rate headers on whatever is answered to a known key.
 */
export function requireKey(deps: AccountsDeps): MiddlewareHandler<AuthenticatedEnv> {
  return async (c, next) => {
    const principal = await authenticate(deps, c.req.header('Authorization'));
    c.set('principal', principal);
    await nextWithHeaders(c, refuseOrHeaders(c, await countRequest(deps, principal.accountId)), next);
  };
}

/** After `requireKeyAndCredits`. */
export interface PayingEnv extends AuthenticatedEnv {
  Variables: AuthenticatedEnv['Variables'] & { admission: Admission };
}

/**
 * As `requireKey`, with the credits read meanwhile. The route shows nothing before `c.var.admission.credits` resolved;
 * it may refuse for reasons of its own, which count for less than the rate.
 */
export function requireKeyAndCredits(deps: AccountsDeps): MiddlewareHandler<PayingEnv> {
  return async (c, next) => {
    const principal = await authenticate(deps, c.req.header('Authorization'));
    c.set('principal', principal);
    const likely = hadPlenty(deps, principal.accountId);
    const counting = countRequest(deps, principal.accountId);
    const reading = requireCredits(deps, principal);
    void learnStanding(deps, principal.accountId, [counting, reading]);
    const counted = counting.then((window) => refuseOrHeaders(c, window));
    const credits = counted.then(() => reading);
    credits.catch(() => {});
    c.set('admission', { credits, likely });
    if (!likely) await counted;
    await next();
    keepHeaders(c, await counted);
  };
}

/** For a path or method that no route has: a known key's request is counted there too; anyone else's passes. */
export function countUnrouted(deps: AccountsDeps): (c: Context<HttpEnv>) => Promise<Response | undefined> {
  return async (c) => {
    try {
      const principal = await authenticate(deps, c.req.header('Authorization'));
      refuseOrHeaders(c, await countRequest(deps, principal.accountId));
      return undefined;
    } catch (error) {
      if (isDomainError(error, 'unauthorized')) return undefined;
      if (isDomainError(error, 'rate_limited')) return sendError(c, answerOf(accountErrors, error));
      throw error;
    }
  };
}

/** The rate headers, which are set even where the request is over the limit: `rate_limited`. */
function refuseOrHeaders(c: Pick<Context, 'header'>, window: RateWindow): Record<string, string> {
  const headers = rateHeaders(window);
  setHeaders(c, headers);
  if (window.exceeded) throw new DomainError('rate_limited', { retryAfterSeconds: window.resetSeconds });
  return headers;
}
