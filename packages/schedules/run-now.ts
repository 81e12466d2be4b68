import { ConditionsFailed, DomainError, toIso } from '@errand/platform';
import { createRun, readRun } from '@errand/runs';
import { askedAt } from './asked-at.ts';
import type { ScheduleRoutesDeps, ScheduleStoreDeps } from './deps.ts';
import { getWhole } from './manage.ts';
import { startedOutcome } from './schedule.ts';
import { readSchedule } from './store.ts';
import { changeSchedule, openWrites, roomForRun, scheduleUnchanged, startedWrites } from './writes.ts';

/** Starts a run that is asked for at once. Throws `run_not_finished` while too many of the schedule's runs have not ended. */
export async function runNow(
  deps: ScheduleRoutesDeps,
  c: Parameters<typeof createRun>[1],
  id: string,
): Promise<string> {
  let agentId: string | undefined;
  const read = async () => {
    const { schedule, body } = await getWhole(deps, c.var.principal, id);
    return {
      body: askedAt(body, toIso(deps.clock()), schedule.timing.timeZone),
      // A request that is repeated is the same whatever has become of the schedule.
      text: `run ${id}`,
      scheduleId: id,
      note(run: Parameters<typeof startedOutcome>[1]) {
        ({ agentId } = run);
        const outcome = { ...startedOutcome(run.createdAt, run), manual: true as const };
        const { writes, undo } = startedWrites(deps, id, outcome);
        return { writes: [...openWrites(deps, schedule, outcome), ...writes], undo };
      },
    };
  };
  try {
    return await createRun(deps, c, { read });
  } catch (error) {
    if (agentId !== undefined) await leavePlace(deps, id, agentId);
    if (error instanceof ConditionsFailed && error.has(roomForRun))
      throw new DomainError(error.item(roomForRun) ? 'run_not_finished' : 'not_found');
    throw error;
  }
}

/** A run that was taken back leaves its place among the open ones. */
async function leavePlace(
  deps: ScheduleStoreDeps & Parameters<typeof readRun>[0],
  id: string,
  agentId: string,
): Promise<void> {
  if (await readRun(deps, agentId)) return;
  for (;;) {
    const schedule = await readSchedule(deps, id);
    const open = schedule?.open.filter((each) => each.agentId !== agentId);
    if (!schedule || open?.length === schedule.open.length) return;
    try {
      await changeSchedule(deps, schedule, { ...schedule, open: open! });
      return;
    } catch (error) {
      if (!(error instanceof ConditionsFailed && error.has(scheduleUnchanged))) throw error;
    }
  }
}
