import { DomainError, type Principal } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { resendIfForgotten } from './resend.ts';
import { type RunRecord, type RunView, viewRun } from './run.ts';
import { readRun } from './store.ts';

/** The run, if this key created it; otherwise `not_found`, so that others' runs cannot be told from missing ones. */
export async function getRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<RunRecord> {
  const run = await readRun(deps, agentId);
  if (!run || run.keyId !== principal.keyId) throw new DomainError('not_found');
  await resendIfForgotten(deps, run);
  return run;
}

/** The run as the API shows it, with a result that lies in the bucket fetched. */
export async function showRun(deps: RunsDeps, run: RunRecord): Promise<RunView> {
  if (run.resultStored === undefined) return viewRun(run);
  const result = await deps.files.getText(run.resultStored);
  return viewRun(result === undefined ? run : { ...run, result });
}
