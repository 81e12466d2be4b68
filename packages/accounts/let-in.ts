import { type CostBound, type Credits, letIntoPurse } from '@errand/money';
import { DomainError, type Principal } from '@errand/platform';
import { knownFull, toWindow } from './count-request.ts';
import type { AccountsDeps } from './deps.ts';
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

const refuseRate = (window: RateWindow): LetIn => ({
  window,
  refusal: new DomainError('rate_limited', { retryAfterSeconds: window.resetSeconds }),
});
