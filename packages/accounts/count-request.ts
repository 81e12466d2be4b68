import {
  type CountedWindow,
  countIn,
  type Entered,
  itemKeys,
  type Purse,
  readStoredPurse,
} from '@errand/money';
import { type Principal, perConnection } from '@errand/platform';
import type { AccountsDeps } from './deps.ts';
import { type RateWindow, rateWindow, windowsOf } from './rate.ts';

const mostRemembered = 10_000;

/**
 * Windows that are known to be full, by their purse and name, with the number of requests in them. Their requests are refused
 * without a write: a flood of them must not hold up the settlements of the account.
 */
const fullOf = perConnection(() => new Map<string, number>());

const keyOf = (accountId: string, name: string): string => `${accountId} ${name}`;

/**
 * The window of a key whose requests are refused without a write, because it is known to be full. A limit that was raised
 * meanwhile counts.
 */
export function knownFull(deps: AccountsDeps, principal: Principal): RateWindow | undefined {
  const full = fullOf(deps);
  const found = windowsOf(deps, principal).find(
    ({ name, limit }) => (full.get(keyOf(principal.accountId, name)) ?? -1) >= limit,
  );
  return found && rateWindow(deps, [found], { windows: new Map() }, { counted: false, later: () => 0 });
}

/** Counts a request that costs nothing. */
export async function countRequest(deps: AccountsDeps, principal: Principal): Promise<RateWindow> {
  const full = knownFull(deps, principal);
  if (full) return full;
  const windows = windowsOf(deps, principal);
  return toWindow(deps, principal, windows, await countIn(deps, principal.accountId, windows));
}

/** The rate that a request would be told if it were counted. Used while the store cannot write. */
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

/**
 * Notes which of the windows are full. If the map of full windows is full, it is emptied: the next request of each
 * account fills it again.
 */
function rememberFull(
  deps: AccountsDeps,
  accountId: string,
  windows: readonly CountedWindow[],
  purse: Purse,
): void {
  const full = fullOf(deps);
  if (full.size >= mostRemembered) full.clear();
  for (const { name, limit } of windows) {
    const requests = purse.windows.get(name) ?? 0;
    if (requests >= limit) full.set(keyOf(accountId, name), requests);
  }
}
