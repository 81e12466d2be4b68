import type { KeyEnd } from '@errand/platform';
import { type EndRunDeps, endMessages, endRun } from './end-run.ts';
import { isHeld } from './lease.ts';
import { isFinished } from './lifecycle.ts';
import { runsOfKey } from './list-runs.ts';

/**
 * Ends the runs of an ended key that no worker holds, and returns how many. Workers end those that they hold
 * themselves, and any that they receive from now on.
 */
export async function endWaitingRuns(deps: EndRunDeps, keyId: string, end: KeyEnd): Promise<number> {
  let ended = 0;
  for await (const run of runsOfKey(deps, keyId)) {
    if (isFinished(run.status) || isHeld(run, deps.clock())) continue;
    if (await endRun(deps, run, endMessages[end])) ended++;
  }
  return ended;
}
