import { DomainError, type Principal } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { resendIfForgotten } from './resend.ts';
import type { RunRecord } from './run.ts';
import { readRun } from './store.ts';

/** The run, if this key created it; otherwise `not_found`, so that others' runs cannot be told from missing ones. */
export async function getRun(deps: RunsDeps, principal: Principal, agentId: string): Promise<RunRecord> {
  const run = await readRun(deps, agentId);
  if (!run || run.keyId !== principal.keyId) throw new DomainError('not_found');
  await resendIfForgotten(deps, run);
  if (run.resultStored === undefined) return run;
  const result = await deps.files.getText(run.resultStored);
  return result === undefined ? run : { ...run, result };
}
