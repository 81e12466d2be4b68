import { readPrincipal } from '@errand/accounts';
import { describeError, limits, startTimer } from '@errand/platform';
import type { TickDeps } from './deps.ts';
import type { Facts } from './facts.ts';
import { dueInstant, fire } from './fire.ts';
import { noteFacts } from './note-facts.ts';
import type { Schedule } from './schedule.ts';
import { settleRun } from './settle.ts';
import type { Due } from './store.ts';
import { claimDue, forgetDue } from './writes.ts';

/** What was done for a schedule that is due. */
export interface LookedAfter {
  /** How long its instant had passed. Absent without one. */
  lateMilliseconds?: number;
  failed: boolean;
}

/**
 * Does what a schedule is due for: notes runs that have ended, and starts the run of its instant. Everything may be done
 * twice, and the process may die anywhere. Never throws. Undefined if there is nothing to do.
 */
export async function lookAfter(deps: TickDeps, due: Due): Promise<LookedAfter | undefined> {
  try {
    const schedule = await claimDue(deps, due);
    if (schedule === 'stale') await forgetDue(deps, due);
    if (schedule === 'stale' || !schedule) return undefined;
    const lateMilliseconds = latenessOf(deps.clock(), schedule);
    const facts = await inTime(deps, (signal) => findFacts(deps, schedule, signal));
    await noteFacts(deps, schedule, facts);
    return { failed: facts.failed || facts.unsettled.length > 0, lateMilliseconds };
  } catch (error) {
    deps.log.error('schedule not looked after', { scheduleId: due.id, ...describeError(error) });
    return { failed: true, lateMilliseconds: deps.clock() - due.dueMilliseconds };
  }
}

/** One that waits for the run before is not late. */
function latenessOf(now: number, schedule: Schedule): number | undefined {
  const instant = schedule.overlap === 'skip' ? dueInstant(schedule, now) : undefined;
  return instant === undefined ? undefined : now - instant;
}

async function inTime<T>(deps: TickDeps, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = startTimer(deps, limits.scheduleFireMilliseconds, () => {
    const reason = new Error('a schedule took too long');
    late.abort(reason);
    reject(reason);
  });
  try {
    return await Promise.race([work(late.signal), promise]);
  } finally {
    stop();
  }
}

async function findFacts(deps: TickDeps, schedule: Schedule, signal: AbortSignal): Promise<Facts> {
  const { id: scheduleId } = schedule;
  const key = await readPrincipal(deps.accounts, schedule);
  const isLast = schedule.attempts > limits.scheduleAttempts;
  const facts: Facts = { settled: [], unsettled: [], waits: false, failed: false };
  if (key.end === 'revoked' || key.end === 'expired') facts.stopped = `key_${key.end}`;
  const attempt = async <T>(work: () => Promise<T>): Promise<{ found: T } | undefined> => {
    try {
      return { found: await work() };
    } catch (error) {
      deps.log.error('schedule failed', { scheduleId, attempts: schedule.attempts, ...describeError(error) });
      return undefined;
    }
  };
  let isBusy = false;
  for (const started of schedule.open) {
    const settling = { principal: key.principal, isLast, signal };
    const tried = await attempt(() => settleRun(deps, schedule, started, settling));
    if (tried?.found) facts.settled.push(tried.found);
    else if (tried) isBusy = true;
    else facts.unsettled.push(started.agentId);
  }
  // Earlier processes died: of this, perhaps, and not of the start.
  if (isLast && facts.settled.length > 0) return { ...facts, stopped: undefined };
  const now = deps.clock();
  const instant = dueInstant(schedule, now);
  if (instant === undefined) return facts;
  const firing = { key, isStopped: facts.stopped !== undefined, now, isBusy, isLast, signal };
  const tried = await attempt(() => fire(deps, schedule, instant, firing));
  if (!tried) facts.failed = true;
  else if (tried.found === 'waits') facts.waits = true;
  else facts.fired = tried.found;
  return facts;
}
