import { markOutside } from '@errand/agent';
import { decideWhether } from '@errand/decisions';
import { roleModel } from '@errand/models';
import { DomainError, limits, type NamedWrite, type Principal } from '@errand/platform';
import { isFinished, type RunRecord, readRun, runErrors, showRun } from '@errand/runs';
import { tellScheduleResult } from '@errand/webhooks';
import type { TickDeps } from './deps.ts';
import { isPassing, wordsOf } from './refusals.ts';
import type { Outcome, Schedule, StartedOutcome } from './schedule.ts';

/** How a run of a schedule ended, and the writes that have it told. */
export interface Settled {
  outcome: Outcome;
  /** The run, if it succeeded. */
  result?: string;
  writes: NamedWrite[];
}

interface Settling {
  principal: Principal | undefined;
  /** Nobody is asked any more about the result. */
  isLast: boolean;
  signal: AbortSignal;
}

/** Undefined if the run has not ended. Throws if it is to be tried again. */
export async function settleRun(
  deps: TickDeps,
  schedule: Schedule,
  started: StartedOutcome,
  settling: Settling,
): Promise<Settled | undefined> {
  const { tries = 0, ...shown } = started;
  const { agentId, at } = shown;
  const run = await readRun(deps, agentId);
  if (!run) return { outcome: { ...shown, status: 'deleted' }, writes: [] };
  if (!isFinished(run.status)) return undefined;
  const { id: scheduleId, accountId, keyId, notifyIf } = schedule;
  const status = run.status as Outcome['status'];
  const result = run.status === 'succeeded' ? agentId : undefined;
  const isLast = settling.isLast || tries >= limits.scheduleAttempts;
  const asked =
    notifyIf && result !== undefined ? await askWhether(deps, schedule, run, { ...settling, isLast }) : {};
  const outcome: Outcome = { ...shown, status, ...asked };
  const isTold = notifyIf === undefined || (outcome.probability ?? -1) >= notifyIf.threshold;
  const told = { scheduleId, accountId, keyId, agentId, at, status, probability: outcome.probability };
  return { outcome, result, writes: isTold ? await tellScheduleResult(deps, told) : [] };
}

/** Asks the decision model the schedule's question about the result and the one before. A refusal is told in the outcome. */
async function askWhether(
  deps: TickDeps,
  schedule: Schedule,
  run: RunRecord,
  { principal, isLast, signal }: Settling,
): Promise<Pick<Outcome, 'probability' | 'reason'>> {
  const { notifyIf, lastResult } = schedule;
  const model = roleModel(deps.catalogue, 'decision');
  if (!notifyIf) return {};
  if (isLast || !model || !principal) return { reason: 'The question of notifyIf could not be asked.' };
  const before = lastResult === undefined ? undefined : await readRun(deps, lastResult);
  const about = new Map([
    ['result before', before ? await resultOf(deps, before) : null],
    ['result', await resultOf(deps, run)],
  ]);
  const asker = { principal, requestId: run.agentId, chargeId: `${schedule.id}:${run.agentId}` };
  try {
    const { question } = notifyIf;
    return { probability: await decideWhether(deps.decisions, { model, question, about }, asker, signal) };
  } catch (error) {
    if (!(error instanceof DomainError) || isPassing(error)) throw error;
    return { reason: wordsOf(runErrors, error) };
  }
}

/** A page that the run has read may have put words into its result. */
async function resultOf(deps: TickDeps, run: RunRecord): Promise<string | null> {
  const { result } = await showRun(deps, run);
  return result === undefined
    ? null
    : markOutside(result.slice(0, limits.notifyResultCharacters).toWellFormed());
}
