import { isDeepStrictEqual } from 'node:util';
import {
  ConditionsFailed,
  DomainError,
  fieldIssue,
  limits,
  newId,
  type Principal,
  toIso,
} from '@errand/platform';
import type { ScheduleRoutesDeps, ScheduleStoreDeps } from './deps.ts';
import { describeFields } from './describe-fields.ts';
import { advance, withDue } from './note-facts.ts';
import type { Schedule, ScheduledBody } from './schedule.ts';
import type { ScheduleFields } from './schema.ts';
import { querySchedules, readBody, readSchedule } from './store.ts';
import { whatBecame } from './what-became.ts';
import {
  changeSchedule,
  deleteSchedule,
  roomForSchedule,
  scheduleUnchanged,
  writeNewSchedule,
} from './writes.ts';

interface Kept {
  schedule: Schedule;
  body: ScheduledBody;
}

/** Throws `agents_disabled` where no runs are created. */
export function mustTakeRuns({ agentsEnabled }: Pick<ScheduleRoutesDeps, 'agentsEnabled'>): void {
  if (!agentsEnabled) throw new DomainError('agents_disabled');
}

/** Makes a schedule of the key. Throws `invalid_request`, and what the creation of its runs is refused with at present. */
export async function createSchedule(
  deps: ScheduleRoutesDeps,
  { accountId, keyId, organisationId, ...principal }: Principal,
  fields: ScheduleFields,
  origin: string,
): Promise<Kept> {
  const now = deps.clock();
  const owner = { accountId, keyId, organisationId };
  const { described, body } = await describeFields(deps, { ...owner, ...principal }, fields, {
    sinceMilliseconds: now,
    isNew: true,
  });
  const schedule: Schedule = {
    id: newId('schedule'),
    ...owner,
    origin,
    ...described,
    attempts: 0,
    open: [],
    looks: 0,
    revision: 0,
    createdAt: toIso(now),
    updatedAt: toIso(now),
  };
  await advance(deps, schedule, now);
  if (schedule.stopped) throw fieldIssue('until', 'comes before the first instant');
  const placed = withDue(deps, schedule);
  try {
    await writeNewSchedule(deps, placed, body);
  } catch (error) {
    if (error instanceof ConditionsFailed && error.has(roomForSchedule))
      throw fieldIssue('', `is one too many: an account may have ${limits.schedulesPerAccount} schedules`);
    throw error;
  }
  return { schedule: placed, body };
}

/** The schedules of the key, or of all keys of the account, the oldest first. */
export const listSchedules = async (
  deps: ScheduleStoreDeps,
  { accountId, keyId }: Pick<Principal, 'accountId'> & Partial<Pick<Principal, 'keyId'>>,
): Promise<Schedule[]> =>
  (await querySchedules(deps, { accountId, keyId })).toSorted(
    (one, other) => one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id),
  );

/** Whose schedules these are. The operator's are all. */
type Asker = Pick<Principal, 'keyId'> | 'operator';

/** Throws `not_found`, also for a schedule of another key. */
export async function getSchedule(deps: ScheduleStoreDeps, asker: Asker, id: string): Promise<Schedule> {
  const schedule = await readSchedule(deps, id);
  if (!schedule || (asker !== 'operator' && schedule.keyId !== asker.keyId))
    throw new DomainError('not_found');
  return schedule;
}

/** With what its runs are created with. Throws `not_found`. */
export async function getWhole(deps: ScheduleStoreDeps, principal: Principal, id: string): Promise<Kept> {
  const schedule = await getSchedule(deps, principal, id);
  const body = await readBody(deps, id);
  if (!body) throw new DomainError('not_found');
  return { schedule, body };
}

/**
 * Changes what the fields say, and takes away what is removed. Throws as `createSchedule` does, `not_found`, and `agents_disabled`
 * for what is more than another time, or has a schedule go on.
 */
export async function updateSchedule(
  deps: ScheduleRoutesDeps,
  principal: Principal,
  id: string,
  { changes, removed }: { changes: Partial<ScheduleFields>; removed: readonly string[] },
): Promise<Kept> {
  for (;;) {
    const kept = await getWhole(deps, principal, id);
    const fields = { ...fieldsOf(kept), ...exclusive(changes), ...changes };
    for (const name of removed) delete fields[name as keyof ScheduleFields];
    const now = deps.clock();
    const { timing } = kept.schedule;
    const isSame = changes.every === undefined && 'every' in timing;
    const sinceMilliseconds = isSame ? timing.sinceMilliseconds : now;
    const isNew = [...Object.keys(changes), ...removed].some((name) => !timeFields.includes(name));
    if (isNew) mustTakeRuns(deps);
    const how = { sinceMilliseconds, isNew };
    const { described, body } = await describeFields(deps, principal, fields, how);
    const changed = await changedSchedule(deps, kept.schedule, described);
    if (isOn(changed) && !isOn(kept.schedule)) mustTakeRuns(deps);
    try {
      return { schedule: await changeSchedule(deps, kept.schedule, changed, { body }), body };
    } catch (error) {
      if (!(error instanceof ConditionsFailed && error.has(scheduleUnchanged))) throw error;
    }
  }
}

const isOn = ({ paused, stopped }: Schedule): boolean => !paused && !stopped;

/** What no run is created with: a schedule is paused, whatever has become of what its runs need. */
const timeFields = ['name', 'cron', 'every', 'timeZone', 'overlap', 'until', 'paused'];

/** One of the two takes the place of the other. */
const exclusive = ({ cron, every }: Partial<ScheduleFields>): Partial<ScheduleFields> => ({
  ...(cron !== undefined && { every: undefined }),
  ...(every !== undefined && { cron: undefined }),
});

/** The fields that a schedule was made from, as they are now. */
function fieldsOf({ schedule, body }: Kept): ScheduleFields {
  const { name, timing, overlap, untilMilliseconds, notifyIf, paused } = schedule;
  return {
    ...body,
    name,
    ...('cron' in timing ? { cron: timing.cron } : { every: timing.every }),
    timeZone: timing.timeZone,
    overlap,
    until: untilMilliseconds === undefined ? undefined : toIso(untilMilliseconds),
    notifyIf,
    paused,
  };
}

async function changedSchedule(
  deps: ScheduleStoreDeps,
  before: Schedule,
  described: Partial<Awaited<ReturnType<typeof describeFields>>['described']>,
): Promise<Schedule> {
  const now = deps.clock();
  const after: Schedule = { ...before, ...described, updatedAt: toIso(now) };
  const timeOf = ({ timing, untilMilliseconds, paused }: Schedule) => [timing, untilMilliseconds, paused];
  // The store keeps no order of keys.
  if (isDeepStrictEqual(timeOf(before), timeOf(after)) && !before.stopped)
    // What has failed keeps its pause.
    return before.attempts > 0 ? after : withDue(deps, after);
  const due = before.paused ? undefined : before.nextMilliseconds;
  if (due !== undefined && (await isPerhapsStarted(deps, before, due))) after.firingMilliseconds ??= due;
  // What is due from now on was not tried yet.
  if (after.firingMilliseconds === undefined && before.claimedUntilMilliseconds === undefined)
    after.attempts = 0;
  delete after.stopped;
  await advance(deps, after, now);
  return withDue(deps, after);
}

/** A process may be about to start the run of an instant, or have started it and not have noted it. */
async function isPerhapsStarted(
  deps: ScheduleStoreDeps,
  schedule: Schedule,
  instant: number,
): Promise<boolean> {
  const { claimedUntilMilliseconds: until } = schedule;
  // The clock of who claimed it may be ahead.
  const claimed = until === undefined ? undefined : until - limits.scheduleClaimMilliseconds;
  if (claimed !== undefined && instant <= Math.max(deps.clock(), claimed)) return true;
  const became = await whatBecame(deps, schedule, instant);
  return became !== undefined && !became.isNoted;
}

/** Pauses the schedule of any key, unless it has stopped. Throws `not_found`. */
export async function pauseAnySchedule(deps: ScheduleStoreDeps, id: string): Promise<Schedule> {
  for (;;) {
    const schedule = await getSchedule(deps, 'operator', id);
    if (schedule.paused || schedule.stopped) return schedule;
    try {
      const paused = await changedSchedule(deps, schedule, { paused: true });
      return await changeSchedule(deps, schedule, paused);
    } catch (error) {
      if (!(error instanceof ConditionsFailed && error.has(scheduleUnchanged))) throw error;
    }
  }
}

/** Throws `not_found`. Its runs go on. */
export async function removeSchedule(deps: ScheduleStoreDeps, asker: Asker, id: string): Promise<void> {
  for (;;) {
    try {
      return await deleteSchedule(deps, await getSchedule(deps, asker, id));
    } catch (error) {
      if (!(error instanceof ConditionsFailed && error.has(scheduleUnchanged))) throw error;
    }
  }
}
