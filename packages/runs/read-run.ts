import { DomainError, type Principal } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { resendIfForgotten } from './resend.ts';
import { type RunRecord, viewRun } from './run.ts';
import { waitOf } from './run-wait.ts';
import { readRun } from './store.ts';
import type { RunView } from './wire.ts';

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

/** The run as the API shows it. What is too long for the run's item is read from the bucket. */
export async function showRun(deps: RunsDeps, run: RunRecord): Promise<RunView> {
  const { resultStored, citationsStored, askedStored, basisStored } = run;
  const stored = async (key: string | undefined) => (key === undefined ? undefined : deps.files.getText(key));
  const [result, citations, asked, basis] = await Promise.all(
    [resultStored, citationsStored, askedStored, basisStored].map(stored),
  );
  const whole = {
    ...run,
    ...(result !== undefined && { result }),
    ...(citations !== undefined && { citations }),
    ...(asked !== undefined && { asked }),
    ...(basis !== undefined && { basis }),
  };
  return viewRun(whole, waitOf(run, deps.clock()));
}
