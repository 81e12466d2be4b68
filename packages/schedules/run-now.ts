import { ConditionsFailed, DomainError, limits } from '@errand/platform';
import { readRun } from '@errand/runs';
import type { ScheduleStoreDeps } from './deps.ts';
import { withDue } from './note-facts.ts';
import { type Schedule, startedOutcome } from './schedule.ts';
import { readOutcome, readSchedule } from './store.ts';
import { changeSchedule, scheduleUnchanged } from './writes.ts';

/** Throws `run_not_finished` while too many of its runs have not ended. */
export function checkRoom({ open }: Schedule): void {
  if (open.length >= limits.scheduleOpenRuns) throw new DomainError('run_not_finished');
}

/** Notes a run that was asked for at once, however often it is noted. */
export async function noteRun(
  deps: ScheduleStoreDeps & Parameters<typeof readRun>[0],
  id: string,
  agentId: string,
): Promise<void> {
  const run = await readRun(deps, agentId);
  if (!run) return;
  const outcome = { ...startedOutcome(run.createdAt, run), manual: true as const };
  for (;;) {
    const schedule = await readSchedule(deps, id);
    if (!schedule || (await readOutcome(deps, id, outcome))) return;
    const changed = withDue(deps, { ...schedule, open: [...schedule.open, outcome], looks: 0 });
    try {
      await changeSchedule(deps, schedule, changed, { outcomes: [outcome] });
      return;
    } catch (error) {
      if (!(error instanceof ConditionsFailed && error.has(scheduleUnchanged))) throw error;
    }
  }
}
