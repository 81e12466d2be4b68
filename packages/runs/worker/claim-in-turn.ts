import { describeError } from '@errand/platform';
import { claimRun, type Situation } from '../lease.ts';
import { type Delivery, hideForLease, type WorkWindow } from './delivery.ts';
import type { HandlerDeps } from './deps.ts';
import type { ClaimOutcome, HeldLock } from './run-lock.ts';

/** Claims a run when its turn comes. Its message stays hidden meanwhile. */
export async function claimInTurn(
  deps: HandlerDeps,
  agentId: string,
  delivery: Delivery,
  window: WorkWindow,
): Promise<HeldLock> {
  const keepHidden = () =>
    hideForLease(deps, delivery).catch((error: unknown) => {
      deps.log.warn('message could not be hidden', { agentId, ...describeError(error) });
    });
  const timer = setInterval(() => void keepHidden(), deps.leaseMilliseconds / 3);
  timer.unref();
  const claim = async (how: Situation): Promise<ClaimOutcome> =>
    window.stopping() ? { kind: 'stopping' } : claimRun(deps, agentId, how);
  try {
    const lock = await deps.runLock.acquire('shared', claim);
    if (lock.claim.kind !== 'suspect') return lock;
    lock.release();
    return await deps.runLock.acquire('exclusive', claim);
  } finally {
    clearInterval(timer);
  }
}
