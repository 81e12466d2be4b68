import { DomainError, type Principal } from '@errand/platform';
import { deleteRunFiles } from '@errand/uploads';
import { makeRoom } from './active-runs.ts';
import type { RunsDeps } from './deps.ts';
import { isFinished } from './lifecycle.ts';
import { readRun } from './store.ts';
import { deleteRunItems } from './writes.ts';

/** Deletes a finished run of this key with its events, payloads and files. Throws `not_found` or `run_not_finished`. */
export async function deleteRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<void> {
  const run = await readRun(deps, agentId);
  if (!run || run.keyId !== principal.keyId) throw new DomainError('not_found');
  if (!isFinished(run.status)) throw new DomainError('run_not_finished');
  await deleteRunItems(deps, run);
  await deleteRunFiles(deps, agentId);
  // Once the run's item is gone, nothing else can find its account to free its place.
  await makeRoom(deps, run);
}
