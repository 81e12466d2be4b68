import { isDeepStrictEqual } from 'node:util';
import { limits } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import { isFinished } from '../lifecycle.ts';
import type { RunRecord } from '../run.ts';
import { readRuns } from '../store.ts';

type WaitingParent = Pick<RunRecord, 'waitsForRuns' | 'patienceEndsMilliseconds'>;

/** Whether any of these sub-runs was over. One that was stays so, and one that ends later sends a message of its own. */
export interface Look {
  runIds: readonly string[];
  isAnyOver: boolean;
}

/** Looks at the sub-runs that a run waits for. One that was deleted is over. */
export async function lookAtSubRuns(
  deps: RunStoreDeps,
  { waitsForRuns: runIds }: WaitingParent,
): Promise<Look | undefined> {
  if (!runIds) return undefined;
  const found = await readRuns(deps, runIds);
  return {
    runIds,
    isAnyOver: found.length < runIds.length || found.some(({ status }) => isFinished(status)),
  };
}

/**
 * Whether a run waits for sub-runs of which none has ended since it looked last, for as long as it may. What was `seen` is not
 * read again, unless the run waits for others by now.
 */
export async function waitsForSubRuns(deps: RunStoreDeps, run: WaitingParent, seen?: Look): Promise<boolean> {
  const { waitsForRuns, patienceEndsMilliseconds: until = 0 } = run;
  if (!waitsForRuns || deps.clock() >= until) return false;
  const isOfThese = seen && isDeepStrictEqual(seen.runIds, waitsForRuns);
  return (isOfThese ? seen : await lookAtSubRuns(deps, run))?.isAnyOver === false;
}

/** When a run that waits for sub-runs looks after them again, if none wakes it. */
export const nextLook = (now: number): number => now + limits.longestPauseMilliseconds;
