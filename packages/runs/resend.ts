import { describeError, limits } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { type Leased, leaseEnd } from './lease.ts';
import { isFinished } from './lifecycle.ts';
import { type QueuedRun, sendRun, wakeRun } from './queue.ts';
import type { RunRecord } from './run.ts';
import { markSent, unfinishedRuns } from './store.ts';

/** The part of a run that tells how long it has waited for a worker. */
type SentRun = QueuedRun & Leased & Pick<RunRecord, 'status' | 'sentAtMilliseconds' | 'waitsForRuns'>;

/** Since when the run waits for a worker: since its message was sent, or its last lease ended. */
export function waitingSince(run: Omit<SentRun, 'payer'>, nowMilliseconds: number): number {
  const { sentAtMilliseconds: sentAt } = run;
  // A message with a later time than now was sent before the clock was set back.
  const isOfFuture = sentAt > nowMilliseconds + limits.clockSkewMilliseconds;
  return Math.max(isOfFuture ? 0 : sentAt, leaseEnd(run, nowMilliseconds));
}

/**
 * Sends a run's message again if the run has waited too long for a worker: for its first one, or for the next one
 * after the run was handed on or its worker died. Failures are logged and not thrown, so that they never fail a read.
 */
export async function resendIfForgotten(deps: RunsDeps, run: SentRun): Promise<void> {
  if (isFinished(run.status)) return;
  const now = deps.clock();
  if (now - waitingSince(run, now) < limits.queuedResendSeconds * 1000) return;
  try {
    if (!(await markSent(deps, run))) return;
    // A run that waits for sub-runs keeps its own message, and would have one more at each read.
    await (run.waitsForRuns ? wakeRun(deps, run) : sendRun(deps, run));
  } catch (error) {
    deps.log.warn('resend failed', { agentId: run.agentId, ...describeError(error) });
  }
}

/**
 * Sends the messages of all unfinished runs again, for a queue that lost its messages. The embedded queue does that
 * when its process ends. Returns how many messages were sent.
 */
export async function resendUnfinished(deps: RunsDeps): Promise<number> {
  let sent = 0;
  for await (const run of unfinishedRuns(deps)) {
    await sendRun(deps, run);
    sent++;
  }
  return sent;
}
