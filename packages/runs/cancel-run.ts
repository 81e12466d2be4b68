import { DomainError, type Principal } from '@errand/platform';
import { makeRoom } from './active-runs.ts';
import type { RunQueueDeps, RunsDeps } from './deps.ts';
import type { EndRunDeps } from './end-run.ts';
import { isFinished } from './lifecycle.ts';
import { wakeRun } from './queue.ts';
import type { RunRecord } from './run.ts';
import { stopRun } from './stop-run.ts';
import { readRun } from './store.ts';
import { afterEnd, endSubRuns } from './sub-runs/after-end.ts';

/** Cancels a run of this key. Throws `not_found`. */
export async function cancelRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<RunRecord> {
  const run = await readRun(deps, agentId);
  if (run?.keyId !== principal.keyId) throw new DomainError('not_found');
  const cancelled = await stopRun(deps, run);
  if (isFinished(cancelled.status)) {
    await makeRoom(deps, cancelled);
    await afterEnd(deps, cancelled);
  }
  return cancelled;
}

/** Cancels a run of any key. Throws `not_found`. */
export async function cancelAnyRun(deps: EndRunDeps & RunQueueDeps, agentId: string): Promise<RunRecord> {
  const run = await readRun(deps, agentId);
  if (!run) throw new DomainError('not_found');
  const cancelled = await stopRun(deps, run);
  if (isFinished(cancelled.status)) {
    const { parentRunId, payer } = cancelled;
    if (parentRunId !== undefined) await wakeRun(deps, { agentId: parentRunId, payer });
    await endSubRuns(deps, cancelled);
  }
  return cancelled;
}
