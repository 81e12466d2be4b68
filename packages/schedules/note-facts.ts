import { ConditionsFailed, limits, toIso, toSeconds } from '@errand/platform';
import type { TickDeps } from './deps.ts';
import type { Facts } from './facts.ts';
import { countInstants, nextInstant } from './instants.ts';
import type { Outcome, Schedule, StartedOutcome } from './schedule.ts';
import { readSchedule } from './store.ts';
import { type Fired, isOpen, whatBecame } from './what-became.ts';
import { changeSchedule, scheduleUnchanged } from './writes.ts';

/** Notes what was found out, also on a schedule that was changed meanwhile. */
export async function noteFacts(deps: TickDeps, claimed: Schedule, facts: Facts): Promise<void> {
  let schedule: Schedule | undefined = claimed;
  let { fired } = facts;
  while (schedule) {
    const settled = facts.settled.filter(({ outcome }) => isOpen(schedule!, outcome));
    const outcome = fired && !fired.isNoted ? await withMissed(schedule, fired) : undefined;
    const outcomes = [...settled.map((each) => each.outcome), ...(outcome ? [outcome] : [])];
    try {
      const others = settled.flatMap(({ writes }) => writes);
      const after = await afterFacts(deps, schedule, { ...facts, fired, settled }, outcome);
      await changeSchedule(deps, schedule, after, { outcomes, others });
      return;
    } catch (error) {
      if (!(error instanceof ConditionsFailed && error.has(scheduleUnchanged))) throw error;
      schedule = await readSchedule(deps, claimed.id);
      if (schedule && fired) fired = (await whatBecame(deps, schedule, fired.instant)) ?? fired;
    }
  }
}

/** The outcome with the later instants that it makes up for. */
async function withMissed(
  { timing }: Schedule,
  { instant, outcome, untilMilliseconds }: Fired,
): Promise<Outcome> {
  const missed = await countInstants(timing, instant, untilMilliseconds);
  return missed === 0 ? outcome : { ...outcome, missed };
}

/** The schedule once the facts are noted, with the outcome of what was fired. */
async function afterFacts(
  deps: TickDeps,
  before: Schedule,
  facts: Facts,
  outcome: Outcome | undefined,
): Promise<Schedule> {
  const { fired, settled, unsettled, stopped, failed } = facts;
  const after: Schedule = { ...before, attempts: failed ? before.attempts : 0 };
  delete after.claimedUntilMilliseconds;
  if (fired) await moveOn(deps, after, fired);
  // What became of its instant is not known yet.
  if (stopped && !failed) stop(deps, after, stopped);
  const ended = new Set(settled.map((each) => each.outcome.agentId));
  after.open = after.open
    .filter(({ agentId }) => !ended.has(agentId))
    .map((each) => (unsettled.includes(each.agentId) ? { ...each, tries: (each.tries ?? 0) + 1 } : each));
  after.lastResult = settled.findLast(({ result }) => result !== undefined)?.result ?? after.lastResult;
  if (outcome?.agentId !== undefined) {
    after.open = [...after.open, outcome as StartedOutcome];
    after.looks = 0;
  } else after.looks = before.looks + 1;
  return withDue(deps, after, facts);
}

/** The next instant is the first one that is not made up for, unless it has been moved on from. */
async function moveOn(
  deps: TickDeps,
  schedule: Schedule,
  { instant, outcome, untilMilliseconds: until }: Fired,
): Promise<void> {
  const { firingMilliseconds, nextMilliseconds } = schedule;
  if (instant !== firingMilliseconds && instant !== nextMilliseconds) return;
  if (outcome.status === 'refused') schedule.refusals = (schedule.refusals ?? 0) + 1;
  else delete schedule.refusals;
  const untilMilliseconds = until + refusalPause(schedule);
  if (firingMilliseconds === instant) delete schedule.firingMilliseconds;
  else await advance(deps, schedule, untilMilliseconds);
}

/** Who is refused pays for nothing, and would be asked after each minute for years. */
function refusalPause({ refusals = 0 }: Schedule): number {
  if (refusals < limits.scheduleRefusals) return 0;
  const seconds = 60 * 2 ** (refusals - limits.scheduleRefusals);
  return Math.min(seconds, limits.scheduleRefusalPauseSeconds) * 1000;
}

/** Sets the next instant after a time, or stops the schedule that has none. */
export async function advance(
  deps: Pick<TickDeps, 'clock'>,
  schedule: Schedule,
  after: number,
): Promise<void> {
  const { timing, untilMilliseconds = Number.POSITIVE_INFINITY } = schedule;
  const next = await nextInstant(timing, after);
  schedule.nextMilliseconds = next !== undefined && next <= untilMilliseconds ? next : undefined;
  if (schedule.nextMilliseconds === undefined)
    stop(deps, schedule, next === undefined ? 'no_instant' : 'until');
}

function stop(
  { clock }: Pick<TickDeps, 'clock'>,
  schedule: Schedule,
  reason: NonNullable<Schedule['stopped']>['reason'],
): void {
  schedule.stopped = { reason, at: toIso(clock()) };
  delete schedule.nextMilliseconds;
  if (reason === 'key_revoked' || reason === 'key_expired') delete schedule.firingMilliseconds;
  if (reason === 'key_revoked') schedule.expiresAtSeconds = toSeconds(clock()) + limits.scheduleKeptSeconds;
}

/** Its place among what is due: at the next instant, or when a run is looked at again. */
export function withDue(
  { clock }: Pick<TickDeps, 'clock'>,
  schedule: Schedule,
  { failed = false, waits = false }: Partial<Pick<Facts, 'failed' | 'waits'>> = {},
): Schedule {
  const now = clock();
  const { open, looks, firingMilliseconds, nextMilliseconds, paused, attempts } = schedule;
  const look = Math.min(limits.scheduleLookMilliseconds * 2 ** looks, limits.scheduleLongestLookMilliseconds);
  const pause = Math.min(
    limits.scheduleClaimMilliseconds * 2 ** Math.max(0, attempts - 1),
    limits.scheduleLongestClaimMilliseconds,
  );
  const times = [
    failed ? now + pause : undefined,
    open.length > 0 ? now + (waits ? limits.scheduleLookMilliseconds : look) : undefined,
    failed || waits ? undefined : (firingMilliseconds ?? (paused ? undefined : nextMilliseconds)),
  ].filter((time) => time !== undefined);
  return { ...schedule, dueMilliseconds: times.length > 0 ? Math.min(...times) : undefined };
}
