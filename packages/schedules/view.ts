import { toIso } from '@errand/platform';
import type { Outcome, Schedule, ScheduledBody } from './schedule.ts';
import type { ListedSchedule } from './schema.ts';

const isoOf = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : toIso(milliseconds);

/** The schedule as a list shows it. */
export function viewListed(schedule: Schedule): ListedSchedule {
  const {
    id,
    name,
    agent,
    question,
    timing,
    overlap,
    notifyIf,
    paused = false,
    stopped,
    createdAt,
    updatedAt,
  } = schedule;
  return {
    id,
    name,
    agent,
    question,
    ...('cron' in timing
      ? { cron: timing.cron }
      : { every: timing.every, since: toIso(timing.sinceMilliseconds) }),
    timeZone: timing.timeZone,
    overlap,
    until: isoOf(schedule.untilMilliseconds),
    notifyIf,
    paused,
    stopped,
    nextAt: paused ? undefined : isoOf(schedule.nextMilliseconds),
    createdAt,
    updatedAt,
  };
}

/** The schedule as JSON. A schema stands there as it is kept: an object of JavaScript moves keys such as "10" to its front. */
export function writeSchedule(
  schedule: Schedule,
  { outputSchema, ...body }: ScheduledBody,
  outcomes: readonly Outcome[],
): string {
  const shown = outcomes.map(({ at, manual, status, agentId, startedAt, missed, reason, probability }) => ({
    at,
    manual,
    status,
    agentId,
    startedAt,
    missed,
    reason,
    probability,
  }));
  const json = JSON.stringify({ ...viewListed(schedule), ...body, outcomes: shown });
  return outputSchema === undefined ? json : `${json.slice(0, -1)},"outputSchema":${outputSchema}}`;
}
