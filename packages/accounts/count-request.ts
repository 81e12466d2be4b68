import { budgetPeriods, type Principal } from '@errand/platform';
import { periodOf } from './budget-period.ts';
import type { AccountsDeps } from './deps.ts';
import { rememberFull, whichIsFull } from './full-windows.ts';
import { type Entered, endedBudgets, enter, type PurseOwner } from './purse/enter.ts';
import { type Purse, readPurse } from './purse/purse.ts';
import { readStoredPurse } from './purse/store.ts';
import { type CountedWindow, endedWindows, type RateWindow, rateWindow, windowsOf } from './rate.ts';
import { itemKeys } from './store.ts';

/** The purse of the key's account. */
export const accountOf = ({ accountId }: Principal): PurseOwner => ({
  key: itemKeys.balance(accountId),
  accountId,
});

/** The window of a key whose requests are refused without a write: it is known to be full. */
export function knownFull(deps: AccountsDeps, principal: Principal): RateWindow | undefined {
  const full = whichIsFull(deps, principal.accountId, windowsOf(deps, principal));
  return full && rateWindow(deps, [full], readPurse(undefined), { counted: false, later: () => 0 });
}

/** Counts a request that costs nothing. */
export async function countRequest(deps: AccountsDeps, principal: Principal): Promise<RateWindow> {
  const full = knownFull(deps, principal);
  if (full) return full;
  const windows = windowsOf(deps, principal);
  const entered = await enter(
    deps,
    accountOf(principal),
    { windows },
    { ended: (purse) => endedIn(deps, purse) },
  );
  return toWindow(deps, principal, windows, entered);
}

/** What a request would be told of its rate if it were counted. For a store that cannot write. */
export async function readWindow(deps: AccountsDeps, principal: Principal): Promise<RateWindow> {
  const windows = windowsOf(deps, principal);
  const purse = await readStoredPurse(deps, itemKeys.balance(principal.accountId));
  const full = windows.find(({ name, limit }) => (purse.windows.get(name) ?? 0) >= limit);
  return rateWindow(deps, full ? [full] : windows, purse, { counted: !full, later: () => -1 });
}

export function toWindow(
  deps: AccountsDeps,
  { accountId }: Principal,
  windows: readonly CountedWindow[],
  { outcome, purse, later }: Entered,
): RateWindow {
  const counted = outcome.kind !== 'rate';
  if (!counted) rememberFull(deps, accountId, windows, purse);
  const told = counted ? windows : windows.filter(({ limit }) => limit === outcome.limit);
  return rateWindow(deps, told, purse, { counted, later });
}

export function endedIn(deps: AccountsDeps, purse: Purse): string[] {
  const labels = budgetPeriods.map((period) => periodOf(period, deps.clock()).label);
  return [...endedWindows(deps, purse), ...endedBudgets(purse, labels)];
}
