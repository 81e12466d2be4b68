import { limits } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import { isFinished } from '../lifecycle.ts';
import type { RunRecord } from '../run.ts';
import { readRuns } from '../store.ts';

type WaitingParent = Pick<RunRecord, 'waitsForRuns' | 'patienceEndsMilliseconds'>;

/** Whether a run waits for sub-runs of which none has ended since it looked last, for as long as it may. */
export async function waitsForSubRuns(deps: RunStoreDeps, run: WaitingParent): Promise<boolean> {
  const { waitsForRuns, patienceEndsMilliseconds: until = 0 } = run;
  if (!waitsForRuns || deps.clock() >= until) return false;
  const found = await readRuns(deps, waitsForRuns);
  return found.length === waitsForRuns.length && !found.some(({ status }) => isFinished(status));
}

/** When a run that waits for sub-runs looks after them again, if none wakes it. */
export const nextLook = (now: number): number => now + limits.longestPauseMilliseconds;
