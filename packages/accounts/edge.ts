import {
  type AuthenticatedEnv,
  answerOf,
  DomainError,
  type HttpEnv,
  isDomainError,
  nextWithHeaders,
  type Principal,
  sendError,
  setHeaders,
} from '@errand/platform';
import type { Context, MiddlewareHandler } from 'hono';
import { authenticate } from './authenticate.ts';
import { type Credits, requireCredits } from './credits.ts';
import type { AccountsDeps } from './deps.ts';
import { accountErrors } from './errors.ts';
import { countRequest, rateHeaders } from './rate.ts';

/**
 * Refuses a missing or unknown key (`unauthorized`), then counts the request (`rate_limited`). Sets `c.var.principal`,
 * and the rate headers on whatever is answered to a known key.
 */
export function requireKey(deps: AccountsDeps): MiddlewareHandler<AuthenticatedEnv> {
  return async (c, next) => {
    const principal = await authenticate(deps, c.req.header('Authorization'));
    c.set('principal', principal);
    await nextWithHeaders(c, await countOrRefuse(deps, c, principal), next);
  };
}

/** After `requireKeyAndCredits`. */
export interface PayingEnv extends AuthenticatedEnv {
  Variables: AuthenticatedEnv['Variables'] & { credits: Promise<Credits> };
}

/**
 * As `requireKey`, with the credits read meanwhile: `c.var.credits` rejects with `no_credits` for whoever awaits it,
 * which is after whatever else the route may refuse for.
 */
export function requireKeyAndCredits(deps: AccountsDeps): MiddlewareHandler<PayingEnv> {
  return async (c, next) => {
    const principal = await authenticate(deps, c.req.header('Authorization'));
    c.set('principal', principal);
    const credits = requireCredits(deps, principal);
    credits.catch(() => {});
    c.set('credits', credits);
    await nextWithHeaders(c, await countOrRefuse(deps, c, principal), next);
  };
}

/** For a path or method that no route has: a known key's request is counted there too; anyone else's passes. */
export function countUnrouted(deps: AccountsDeps): (c: Context<HttpEnv>) => Promise<Response | undefined> {
  return async (c) => {
    try {
      const principal = await authenticate(deps, c.req.header('Authorization'));
      await countOrRefuse(deps, c, principal);
      return undefined;
    } catch (error) {
      if (isDomainError(error, 'unauthorized')) return undefined;
      if (isDomainError(error, 'rate_limited')) return sendError(c, answerOf(accountErrors, error));
      throw error;
    }
  };
}

async function countOrRefuse(
  deps: AccountsDeps,
  c: Pick<Context, 'header'>,
  principal: Principal,
): Promise<Record<string, string>> {
  const window = await countRequest(deps, principal.accountId);
  const headers = rateHeaders(window);
  setHeaders(c, headers);
  if (window.exceeded) throw new DomainError('rate_limited', { retryAfterSeconds: window.resetSeconds });
  return headers;
}
