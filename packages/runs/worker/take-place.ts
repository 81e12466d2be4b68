import { describeError } from '@errand/platform';
import { claimRun, type Situation } from '../lease.ts';
import type { Company, Entry, Place } from './company.ts';
import type { WorkerDeps } from './deps.ts';
import type { Delivery, WorkWindow } from './handle-message.ts';

export interface HandlerDeps extends WorkerDeps {
  /** The runs of this process. */
  company: Company;
}

/** Claims a run when its turn comes. Its message stays hidden meanwhile. */
export async function takePlace(
  deps: HandlerDeps,
  agentId: string,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Place> {
  const keepHidden = () =>
    delivery.hideFor(Math.ceil(deps.leaseMilliseconds / 1000)).catch((error: unknown) => {
      deps.log.warn('message could not be hidden', { agentId, ...describeError(error) });
    });
  const timer = setInterval(() => void keepHidden(), deps.leaseMilliseconds / 3);
  timer.unref();
  const claim = async (how: Situation): Promise<Entry> =>
    window.stopping() ? { kind: 'stopping' } : claimRun(deps, agentId, how);
  try {
    const place = await deps.company.enter(false, claim);
    if (place.claim.kind !== 'suspect') return place;
    place.leave();
    return await deps.company.enter(true, claim);
  } finally {
    clearInterval(timer);
  }
}
