import { isDomainError, limits } from '@errand/platform';
import { makeRoom } from '../active-runs.ts';
import type { RunsDeps } from '../deps.ts';
import type { EndRunDeps } from '../end-run.ts';
import { isFinished } from '../lifecycle.ts';
import { wakeRun } from '../queue.ts';
import type { RunRecord } from '../run.ts';
import { stopRun } from '../stop-run.ts';
import { listSubRuns } from '../store.ts';

/** Whether a run may have others work on its questions. */
export const hasSubRuns = ({ effort, parentRunId }: Pick<RunRecord, 'effort' | 'parentRunId'>): boolean =>
  effort === 'high' && parentRunId === undefined;

/**
 * What the end of a run means for others: the run that waits for it is woken, and its own sub-runs end with it. Whoever finds the run over
 * does it again, because a process may have died in between.
 */
export async function afterEnd(deps: RunsDeps, run: RunRecord): Promise<void> {
  const { parentRunId, payer } = run;
  if (parentRunId !== undefined) await wakeRun(deps, { agentId: parentRunId, payer });
  for (const ended of await endSubRuns(deps, run)) await makeRoom(deps, ended);
}

/** Every sub-run of a run that can be read. */
export async function* subRunsOfRun(
  deps: EndRunDeps,
  { agentId }: Pick<RunRecord, 'agentId'>,
): AsyncGenerator<RunRecord> {
  let after: string | undefined;
  do {
    const page = await listSubRuns(deps, agentId, { limit: limits.pageEntries, after });
    yield* page.runs;
    after = page.last;
  } while (after !== undefined);
}

/** Cancels the sub-runs of a run that has ended. Returns those that have ended here; a worker ends those that it holds. */
export async function endSubRuns(deps: EndRunDeps, run: RunRecord): Promise<RunRecord[]> {
  const ended: RunRecord[] = [];
  if (!hasSubRuns(run)) return ended;
  for await (const each of subRunsOfRun(deps, run)) {
    if (isFinished(each.status)) continue;
    const stopped = await stopSubRun(deps, each);
    if (stopped && isFinished(stopped.status)) ended.push(stopped);
  }
  return ended;
}

/** Undefined for one that is gone. */
export async function stopSubRun(deps: EndRunDeps, run: RunRecord): Promise<RunRecord | undefined> {
  try {
    return await stopRun(deps, run);
  } catch (error) {
    if (isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}
