import { DomainError, type Principal } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { resendIfForgotten } from './resend.ts';
import { type RunRecord, type RunView, viewRun } from './run.ts';
import { readRun } from './store.ts';

/**
 * The run, if this key created it. Throws `not_found` otherwise, so that another key's run cannot be told from a
 * missing one.
 */
export async function getRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<RunRecord> {
  const run = await readRun(deps, agentId);
  if (!run || run.keyId !== principal.keyId) throw new DomainError('not_found');
  await resendIfForgotten(deps, run);
  return run;
}

/** The run as the API shows it. A long result is read from the bucket. */
export async function showRun(deps: RunsDeps, run: RunRecord): Promise<RunView> {
  if (run.resultStored === undefined) return viewRun(run);
  const result = await deps.files.getText(run.resultStored);
  return viewRun(result === undefined ? run : { ...run, result });
}
