import type { Credits } from './credits.ts';
import type { AccountsDeps } from './deps.ts';
import { perConnection } from './per-connection.ts';
import type { RateWindow } from './rate.ts';
import { createRecentCache } from './recent-cache.ts';

/** Whether a request is let in, which is asked of the store once for every request. */
export interface Admission {
  /** Rejects with `rate_limited`, else with `no_credits`. */
  credits: Promise<Credits>;
  /** The account had plenty of both a moment ago: work may begin before this request is let in, but not be shown. */
  likely: boolean;
}

/**
 * What `start` comes to, for a request that is let in; else its refusal. Where that is unlikely, the work does not
 * wait for the store, and `abandon` ends it.
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

/** Accounts that had plenty when a request of theirs was last counted. */
const standingOf = perConnection(() => createRecentCache<true>(rememberedMilliseconds));

export const hadPlenty = (deps: AccountsDeps, accountId: string): boolean =>
  standingOf(deps).get(accountId, deps.clock()) ?? false;

/** Learns from a request's count and credits; a refusal of either makes the account's next request wait. */
export async function learnStanding(
  deps: AccountsDeps,
  accountId: string,
  [counting, reading]: [Promise<RateWindow>, Promise<Credits>],
): Promise<void> {
  const standing = standingOf(deps);
  try {
    const [{ remaining }, { balanceNanoEuro, payer }] = await Promise.all([counting, reading]);
    const covered = payer.organisationId !== undefined || balanceNanoEuro >= plentyNanoEuro;
    if (covered && remaining >= plentyOfRequests) standing.set(accountId, true, deps.clock());
    else standing.delete(accountId);
  } catch {
    standing.delete(accountId);
  }
}
