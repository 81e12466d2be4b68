import { toIso } from '@errand/platform';
import type { ScheduleStoreDeps } from './deps.ts';
import type { Outcome, Schedule } from './schedule.ts';
import { readOutcome } from './store.ts';

/** What became of an instant. */
export interface Fired {
  instant: number;
  outcome: Outcome;
  /** Instants up to then are made up for. */
  untilMilliseconds: number;
  /** The schedule knows of it. */
  isNoted: boolean;
}

/**
 * What became of an instant, whoever was at it: its run is written with its outcome, whatever the process has heard of that since.
 * It is noted once the run is among the open ones, or has ended. True of the schedule as it was read before.
 */
export async function whatBecame(
  deps: ScheduleStoreDeps,
  schedule: Pick<Schedule, 'id' | 'open'>,
  instant: number,
): Promise<Fired | undefined> {
  const outcome = await readOutcome(deps, schedule.id, { at: toIso(instant) });
  if (!outcome) return undefined;
  const isNoted = outcome.status !== 'running' || isOpen(schedule, outcome);
  return { ...begun(instant, outcome), isNoted };
}

export const isOpen = ({ open }: Pick<Schedule, 'open'>, { agentId }: Outcome): boolean =>
  open.some((each) => each.agentId === agentId);

/** A run makes up for what had passed when it was created. */
export const begun = (instant: number, outcome: Outcome): Fired => ({
  instant,
  outcome,
  untilMilliseconds: Math.max(instant, Date.parse(outcome.startedAt ?? outcome.at)),
  isNoted: false,
});
