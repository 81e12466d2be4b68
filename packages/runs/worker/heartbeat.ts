import { describeError } from '@errand/platform';
import { renewLease } from '../lease.ts';
import type { WorkerDeps } from './deps.ts';
import { Stopped } from './stop.ts';

/**
 * Keeps the lease and the message while a run is worked on, and aborts the work when the lease was lost or the run
 * was cancelled. Returns the function that ends it.
 */
export function startHeartbeat(
  deps: WorkerDeps,
  held: { agentId: string; token: string; keepMessage(): Promise<void> },
  work: AbortController,
): () => void {
  const { agentId, token } = held;
  const beat = async () => {
    try {
      const [run] = await Promise.all([renewLease(deps, agentId, token), held.keepMessage()]);
      if (!run) work.abort(new Stopped('lease-lost'));
      else if (run.cancelRequested) work.abort(new Stopped('cancelled'));
    } catch (error) {
      // The next beat may get through. If none does, the lease runs out and the fence holds.
      deps.log.warn('heartbeat failed', { agentId, ...describeError(error) });
    }
  };
  const timer = setInterval(() => void beat(), deps.leaseMilliseconds / 3);
  timer.unref();
  const stopListening = deps.signals.listen(agentId, 'cancel', () => work.abort(new Stopped('cancelled')));
  return () => {
    clearInterval(timer);
    stopListening();
  };
}
