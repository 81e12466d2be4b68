import { createRecentCache, perConnection } from '@errand/platform';
import type { Credits } from './credits.ts';
import type { AccountsDeps } from './deps.ts';
import type { RateWindow } from './rate.ts';

/** Whether the store lets a request in. The store is asked once per request. */
export interface Admission {
  /** Rejects with `rate_limited` or `no_credits` if the request is refused; `rate_limited` goes first. */
  credits: Promise<Credits>;
  /**
   * True if the account had plenty of requests and credits a moment ago. Work may then begin before `credits` resolves,
   * but no result may be sent before.
   */
  likely: boolean;
}

/**
 * Resolves with the result of `start` for a request that is let in, and rejects with `rate_limited` or `no_credits`
 * for any other. If the admission is likely, `start` runs before the store answers, and `abandon` must end it when the
 * request is refused after all.
 */
export async function whenAdmitted<T>(
  { credits, likely }: Admission,
  abandon: (refusal: unknown) => void,
  start: () => Promise<T>,
): Promise<T> {
  if (!likely) {
    await credits;
    return start();
  }
  const started = start();
  started.catch(() => {});
  try {
    await credits;
  } catch (refusal) {
    abandon(refusal);
    throw refusal;
  }
  return started;
}

const rememberedMilliseconds = 30_000;
const plentyOfRequests = 30;
const plentyNanoEuro = 100_000_000;

/** Accounts that had plenty of requests and credits when their last request was counted. */
const plentyOf = perConnection(() => createRecentCache<true>(rememberedMilliseconds));

export const hadPlenty = (deps: AccountsDeps, accountId: string): boolean =>
  plentyOf(deps).get(accountId, deps.clock()) ?? false;

/** Remembers whether the account has plenty left. After a refusal, the account's next request waits for the store. */
export async function rememberPlenty(
  deps: AccountsDeps,
  accountId: string,
  [counting, reading]: [Promise<RateWindow>, Promise<Credits>],
): Promise<void> {
  const accountsWithPlenty = plentyOf(deps);
  try {
    const [{ remaining }, { balanceNanoEuro, payer }] = await Promise.all([counting, reading]);
    const covered = payer.organisationId !== undefined || balanceNanoEuro >= plentyNanoEuro;
    if (covered && remaining >= plentyOfRequests) accountsWithPlenty.set(accountId, true, deps.clock());
    else accountsWithPlenty.delete(accountId);
  } catch {
    accountsWithPlenty.delete(accountId);
  }
}
