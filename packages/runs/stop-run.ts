import { DomainError } from '@errand/platform';
import { type EndRunDeps, endMessages, endRun } from './end-run.ts';
import { isHeld } from './lease.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { type RunUpdate, readRun, requestCancellation } from './store.ts';

/**
 * Asks a run to stop, which ends it as `failed`. A run that no worker holds ends here. A worker that holds the run
 * learns of the request after its current call at the latest, and ends the run. A finished run stays as it is.
 * Throws `not_found` for a run that is gone.
 */
export async function stopRun(deps: EndRunDeps, found: RunRecord): Promise<RunRecord> {
  let run: RunRecord | undefined = found;
  while (run && !isFinished(run.status)) {
    const update: RunUpdate = isHeld(run, deps.clock()) ? await tellWorker(deps, run) : await end(deps, run);
    if (update.done) return update.run;
    run = update.run;
  }
  if (!run) throw new DomainError('not_found');
  return run;
}

async function tellWorker(deps: EndRunDeps, run: RunRecord): Promise<RunUpdate> {
  const update = await requestCancellation(deps, run);
  if (update.done) deps.signals.send(run.agentId, 'cancel');
  return update;
}

async function end(deps: EndRunDeps, run: RunRecord): Promise<RunUpdate> {
  const done = await endRun(deps, run, endMessages.cancelled);
  const now = await readRun(deps, run.agentId);
  return done ? { done, run: now ?? run } : { done, run: now };
}
