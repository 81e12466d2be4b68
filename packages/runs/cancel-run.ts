import { DomainError, type Principal } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { cancelledMessage, endRun } from './end-run.ts';
import { isHeld } from './lease.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { type RunUpdate, readRun, requestCancellation } from './store.ts';

/**
 * Asks a run to stop, which ends it as `failed`. A run that no worker holds ends here. A worker that holds the run
 * learns of the request after its current call at the latest, and ends the run. A finished run stays as it is. Throws
 * `not_found`.
 */
export async function cancelRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<RunRecord> {
  let run = await readRun(deps, agentId);
  if (run?.keyId !== principal.keyId) throw new DomainError('not_found');
  while (run && !isFinished(run.status)) {
    const update: RunUpdate = isHeld(run, deps.clock()) ? await tellWorker(deps, run) : await end(deps, run);
    if (update.done) return update.run;
    run = update.run;
  }
  if (!run) throw new DomainError('not_found');
  return run;
}

async function tellWorker(deps: RunsDeps, run: RunRecord): Promise<RunUpdate> {
  const update = await requestCancellation(deps, run);
  if (update.done) deps.signals.send(run.agentId, 'cancel');
  return update;
}

async function end(deps: RunsDeps, run: RunRecord): Promise<RunUpdate> {
  const done = await endRun(deps, run, cancelledMessage);
  const now = await readRun(deps, run.agentId);
  return done ? { done, run: now ?? run } : { done, run: now };
}
