import { DomainError, type Principal } from '@errand/platform';
import { deleteRunFiles } from '@errand/uploads';
import { makeRoom } from './active-runs.ts';
import type { RunsDeps } from './deps.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';
import { hasSubRuns, subRunsOfRun } from './sub-runs/after-end.ts';
import { deleteRunItems } from './writes.ts';

/** Deletes a finished run of this key with its events, payloads, files and sub-runs. Throws `not_found` or `run_not_finished`. */
export async function deleteRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<void> {
  const run = await readRun(deps, agentId);
  if (!run || run.keyId !== principal.keyId) throw new DomainError('not_found');
  if (!isFinished(run.status)) throw new DomainError('run_not_finished');
  const subRuns: RunRecord[] = [];
  if (hasSubRuns(run)) for await (const each of subRunsOfRun(deps, run)) subRuns.push(each);
  if (subRuns.some(({ status }) => !isFinished(status))) throw new DomainError('run_not_finished');
  for (const each of [...subRuns, run]) await deleteFinished(deps, each);
}

async function deleteFinished(deps: RunsDeps, run: RunRecord): Promise<void> {
  const { agentId } = run;
  await deleteRunItems(deps, run);
  await deleteRunFiles(deps, agentId);
  // Once the run's item is gone, nothing else can find its account to free its place.
  await makeRoom(deps, run);
}
