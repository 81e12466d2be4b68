import { type CostBound, type Credits, nothingYet, reserve } from '@errand/money';
import { type AuthenticatedEnv, keepHeaders, limits, type RouteFamily, startTimer } from '@errand/platform';
import type { MiddlewareHandler } from 'hono';
import { authenticateRequest } from './authenticate.ts';
import { countRequest, knownFull } from './count-request.ts';
import type { AccountsDeps } from './deps.ts';
import { setRateHeaders } from './edge.ts';
import { checkRoute, mayUse } from './key-limits.ts';
import { letIn } from './let-in.ts';
import { type RateWindow, rateHeaders } from './rate.ts';

/** How a paying request is let in, once it is known what it may cost. */
interface Door {
  /**
   * Counts the request and sets aside what it may cost at most, in one write. Throws `rate_limited`, `route_forbidden`,
   * then `no_credits`, `budget_spent` or `ceiling_spent`. To be called once: no provider may be asked before.
   */
  letIn(bound: CostBound): Promise<Credits>;
  /**
   * Does what `letIn` does with what `read` finds out about the request. A fault that `read` throws is thrown after the
   * refusals of `letIn`. A request whose body is slow is counted while it comes.
   */
  letInAfter<T extends { bound: CostBound }>(read: () => Promise<T>): Promise<T & { credits: Credits }>;
  /**
   * Calls `read`, which finds out how the request is to be let in, and returns its result. A fault that `read`
   * throws is thrown after the refusals of `letIn`. A request whose body is slow is counted while it comes.
   */
  readFirst<T>(read: () => Promise<T>): Promise<T>;
  /** Names the family of a request that was not known before: `route_forbidden` is thrown for it from now on. */
  enterFor(family: RouteFamily): void;
  /**
   * Counts the request before its content is known. Throws `rate_limited`, and `route_forbidden` of a known family.
   */
  countNow(): Promise<void>;
  /**
   * Throws what `check` throws, after `rate_limited` and `route_forbidden`. Used for refusals that come before a
   * lack of credits.
   */
  checkFirst(check: () => void): Promise<void>;
}

/** The context of routes behind `requirePayingKey`. */
export interface PayingEnv extends AuthenticatedEnv {
  Variables: AuthenticatedEnv['Variables'] & { door: Door };
}

/**
 * Refuses a missing or unknown key, and sets `c.var.door`. Every answer to a known key is counted, and has the rate headers.
 * Without a family, `door.enterFor` names it.
 */
export function requirePayingKey(deps: AccountsDeps, routes?: RouteFamily): MiddlewareHandler<PayingEnv> {
  return async (c, next) => {
    const principal = await authenticateRequest(deps, c);
    c.set('principal', principal);
    let headers: Record<string, string> | undefined;
    const show = (window: RateWindow) => {
      headers = rateHeaders(window);
      setRateHeaders(c, window);
    };
    let family = routes;
    let isCounted = false;
    const count = async () => {
      if (!isCounted) {
        isCounted = true;
        show(await countRequest(deps, principal));
      }
      if (family) checkRoute(principal, family);
    };
    const enter = async (bound: CostBound): Promise<Credits> => {
      if (family && !mayUse(principal, family)) await count();
      if (isCounted) return reserve(deps, principal, bound);
      const { window, credits, refusal } = await letIn(deps, principal, bound);
      show(window);
      if (refusal) throw refusal;
      return credits;
    };
    const readFirst = async <T>(read: () => Promise<T>): Promise<T> => {
      const late = countLate(deps, count);
      try {
        const reading = read().then(
          (value) => ({ value }),
          (fault: unknown) => ({ fault }),
        );
        const found = await Promise.race([reading, late.refused]);
        await late.stop();
        if ('value' in found) return found.value;
        await enter(nothingYet);
        throw found.fault;
      } finally {
        await late.stop();
      }
    };
    const letInAfter = async <T extends { bound: CostBound }>(read: () => Promise<T>) => {
      const found = await readFirst(read);
      return { ...found, credits: await enter(found.bound) };
    };
    const checkFirst = async (check: () => void) => {
      try {
        check();
      } catch (refusal) {
        await count();
        throw refusal;
      }
    };
    const full = knownFull(deps, principal);
    if (full) show(full);
    const enterFor = (named: RouteFamily) => {
      family = named;
    };
    c.set('door', { letIn: enter, letInAfter, readFirst, enterFor, countNow: count, checkFirst });
    await next();
    if (!headers) await count();
    keepHeaders(c, headers ?? {});
  };
}

/** Counts a request whose body has not come after a while. `refused` and `stop` reject with what `count` throws. */
function countLate(deps: AccountsDeps, count: () => Promise<void>) {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  let counting: Promise<void> = Promise.resolve();
  const stopTimer = startTimer(deps, limits.uncountedMilliseconds, () => {
    counting = count();
    counting.catch(reject);
  });
  const stop = () => {
    stopTimer();
    return counting;
  };
  return { refused, stop };
}
