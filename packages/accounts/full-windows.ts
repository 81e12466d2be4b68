import { perConnection } from '@errand/platform';
import type { AccountsDeps } from './deps.ts';
import type { Purse } from './purse/purse.ts';
import type { CountedWindow } from './rate.ts';

const mostRemembered = 10_000;

/**
 * Windows that are known to be full, by their purse and name, with the number of requests in them. Their requests are refused
 * without a write: a flood of them must not hold up the settlements of the account.
 */
const fullOf = perConnection(() => new Map<string, number>());

const keyOf = (accountId: string, name: string): string => `${accountId} ${name}`;

/** The first of the account's windows that is known to be full. A limit that was raised meanwhile counts. */
export const whichIsFull = (
  deps: Pick<AccountsDeps, 'dynamodb'>,
  accountId: string,
  windows: readonly CountedWindow[],
): CountedWindow | undefined =>
  windows.find(({ name, limit }) => (fullOf(deps).get(keyOf(accountId, name)) ?? -1) >= limit);

/** Notes which of the windows are full. A map that is full is emptied: the next request of each account fills it again. */
export function rememberFull(
  deps: Pick<AccountsDeps, 'dynamodb'>,
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
