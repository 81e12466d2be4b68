import { ConditionsFailed, DomainError, toIso } from '@errand/platform';
import { createRun, type RunRecord, readRun } from '@errand/runs';
import { askedAt } from './asked-at.ts';
import type { ScheduleRoutesDeps, ScheduleStoreDeps } from './deps.ts';
import { getWhole } from './manage.ts';
import { withDue } from './note-facts.ts';
import { type StartedOutcome, startedOutcome } from './schedule.ts';
import { readOutcome, readSchedule } from './store.ts';
import { changeSchedule, openWrite, roomForRun, scheduleUnchanged } from './writes.ts';

type Started = Pick<RunRecord, 'agentId' | 'createdAt'>;

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
      note(run: Started) {
        ({ agentId } = run);
        return { write: openWrite(deps, id, manual(run)) };
      },
    };
  };
  try {
    agentId = await createRun(deps, c, { read });
    return agentId;
  } catch (error) {
    if (error instanceof ConditionsFailed && error.has(roomForRun))
      throw new DomainError(error.item(roomForRun) ? 'run_not_finished' : 'not_found');
    throw error;
  } finally {
    if (agentId !== undefined) await noteRun(deps, id, agentId);
  }
}

const manual = (run: Started): StartedOutcome & { manual: true } => ({
  ...startedOutcome(run.createdAt, run),
  manual: true,
});

/** Notes a run that was asked for at once, however often it is noted. One that was taken back leaves its place. */
async function noteRun(
  deps: ScheduleStoreDeps & Parameters<typeof readRun>[0],
  id: string,
  agentId: string,
): Promise<void> {
  const run = await readRun(deps, agentId);
  const outcomes = run ? [manual(run)] : [];
  for (;;) {
    const schedule = await readSchedule(deps, id);
    if (!schedule || (outcomes[0] && (await readOutcome(deps, id, outcomes[0])))) return;
    const others = schedule.open.filter((each) => each.agentId !== agentId);
    if (!run && others.length === schedule.open.length) return;
    const changed = withDue(deps, { ...schedule, open: [...others, ...outcomes], looks: 0 });
    try {
      await changeSchedule(deps, schedule, changed, { outcomes });
      return;
    } catch (error) {
      if (!(error instanceof ConditionsFailed && error.has(scheduleUnchanged))) throw error;
    }
  }
}
