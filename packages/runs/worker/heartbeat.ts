import { describeError } from '@errand/platform';
import { renewLease } from '../lease.ts';
import type { WorkerDeps } from './deps.ts';
import { Stopped } from './stop.ts';

/**
 * Extends the lease and keeps the message hidden while a worker works on a run. Aborts the work if the lease was lost
 * or the run was cancelled. Returns the function that stops the heartbeat, and resolves when its last beat is over.
 */
export function startHeartbeat(
  deps: WorkerDeps,
  held: { agentId: string; token: string; keepMessage(): Promise<void> },
  work: AbortController,
): () => Promise<void> {
  const { agentId, token } = held;
  // The next beat may succeed. If none does, the lease runs out, and our writes fail once another worker has the run.
  const warned = new Set<string>();
  const warn = (part: 'message' | 'lease') => (error: unknown) => {
    // A message that is gone fails at each beat for the rest of the run.
    if (!warned.has(part)) deps.log.warn('heartbeat failed', { agentId, part, ...describeError(error) });
    warned.add(part);
    return null;
  };
  const beat = async () => {
    // A failure to keep the message must not hide that the lease was lost.
    const kept = held.keepMessage().catch(warn('message'));
    const run = await renewLease(deps, agentId, token).catch(warn('lease'));
    if (run === undefined) work.abort(new Stopped('lease-lost'));
    else if (run?.cancelRequested) work.abort(new Stopped('cancelled'));
    await kept;
  };
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = beat();
  }, deps.leaseMilliseconds / 3);
  timer.unref();
  const stopListening = deps.signals.listen(agentId, 'cancel', () => work.abort(new Stopped('cancelled')));
  return () => {
    clearInterval(timer);
    stopListening();
    return last;
  };
}
