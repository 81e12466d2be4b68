import { describeError, limits } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { isFinished } from './lifecycle.ts';
import { sendRun } from './queue.ts';
import type { RunRecord } from './run.ts';
import { markSent, unfinishedRuns } from './store.ts';

/**
 * Sends the message of a run again that has been waiting for too long: for its first worker, or for the next one after
 * it was handed on or its worker died. Never fails a read.
 */
export async function resendIfForgotten(deps: RunsDeps, run: RunRecord): Promise<void> {
  if (isFinished(run.status)) return;
  const waitingSince = Math.max(run.sentAtMilliseconds, run.leaseUntilMilliseconds ?? 0);
  if (deps.clock() - waitingSince < limits.queuedResendSeconds * 1000) return;
  try {
    if (await markSent(deps, run)) await sendRun(deps, run.agentId);
  } catch (error) {
    deps.log.warn('resend failed', { agentId: run.agentId, ...describeError(error) });
  }
}

/** For a queue that came up empty, as the embedded one does: every run that is not finished gets its message again. */
export async function resendUnfinished(deps: RunsDeps): Promise<number> {
  let sent = 0;
  for await (const agentId of unfinishedRuns(deps)) {
    await sendRun(deps, agentId);
    sent++;
  }
  return sent;
}
