import { DomainError, delay, newUuid, type Principal } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import { type IdempotencyClaim, releaseClaim, type TakenClaim, takeClaim } from '../writes.ts';
import { type AcceptedRun, repeatedRun } from './accept-run.ts';

/** A claim that the run is still to be made for, or the run that another request made with it. */
export type Claimed = { claim: IdempotencyClaim; run?: never } | { claim?: never; run: AcceptedRun };

const pollMilliseconds = 250;
/** Longer than a request may take to read its file. A request that dies leaves its claim for so long. */
const claimMilliseconds = 90_000;
const waitMilliseconds = 45_000;

/**
 * Claims an idempotency key before the request's file is read. A repetition waits for the run of the request that has the
 * claim, and reads nothing. Throws `idempotency_conflict` if that had another body, and `idempotency_busy` if it is not done
 * in time.
 */
export async function claimIdempotency(
  deps: RunsDeps,
  principal: Principal,
  wanted: IdempotencyClaim,
  signal: AbortSignal,
): Promise<Claimed> {
  const claim = { ...wanted, token: newUuid() };
  const until = deps.clock() + waitMilliseconds;
  for (;;) {
    const taken = await takeClaim(deps, principal.keyId, claim, claimMilliseconds);
    if (!taken) return { claim };
    const run = await repeatedRun(deps, taken, wanted);
    if (run) return { run };
    if (deps.clock() >= until || !isPending(taken)) throw new DomainError('idempotency_busy');
    await delay(pollMilliseconds, signal);
  }
}

const isPending = ({ agentId }: TakenClaim): boolean => agentId === undefined;

/** Gives the claim up, for a request that made no run. A claim that a run was made with stays. */
export const giveUpClaim = async (
  deps: RunsDeps,
  principal: Principal,
  claim: IdempotencyClaim | undefined,
): Promise<void> => {
  if (claim?.token !== undefined) await releaseClaim(deps, principal.keyId, claim.key, claim.token);
};
