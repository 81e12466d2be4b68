import { type CostBound, type Credits, letIntoPurse } from '@errand/money';
import { DomainError, type Principal, type RouteFamily } from '@errand/platform';
import { knownFull, toWindow } from './count-request.ts';
import type { AccountsDeps } from './deps.ts';
import { checkRoute } from './key-limits.ts';
import { type RateWindow, windowsOf } from './rate.ts';

/** The refusal is `rate_limited`, `no_credits`, `budget_spent` or `ceiling_spent`. */
type LetIn = { window: RateWindow } & (
  | { credits: Credits; refusal?: never }
  | { refusal: DomainError; credits?: never }
);

/** Counts a request and sets aside what it may cost at most, in one write. */
export async function letIn(deps: AccountsDeps, principal: Principal, bound: CostBound): Promise<LetIn> {
  const full = knownFull(deps, principal);
  if (full) return refuseRate(full);
  const windows = windowsOf(deps, principal);
  const { entered, result } = await letIntoPurse(deps, principal, bound, windows);
  const window = toWindow(deps, principal, windows, entered);
  if (entered.outcome.kind === 'rate') return refuseRate(window);
  return result instanceof DomainError ? { window, refusal: result } : { window, credits: result };
}

/**
 * Lets in work of a key that no request asks for: the work counts as a request, and what it may cost at most is set aside.
 * Throws `route_forbidden`, `rate_limited`, `no_credits`, `budget_spent` or `ceiling_spent`.
 */
export async function letInWork(
  deps: AccountsDeps,
  principal: Principal,
  { route, bound }: { route: RouteFamily; bound: CostBound },
): Promise<Credits> {
  checkRoute(principal, route);
  const { credits, refusal } = await letIn(deps, principal, bound);
  if (refusal) throw refusal;
  return credits;
}

const refuseRate = (window: RateWindow): LetIn => ({
  window,
  refusal: new DomainError('rate_limited', { retryAfterSeconds: window.resetSeconds }),
});
