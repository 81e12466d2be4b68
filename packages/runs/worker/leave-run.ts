import { makeRoom } from '../active-runs.ts';
import { endPoisoned } from '../end-run.ts';
import type { RunRecord } from '../run.ts';
import { afterEnd } from '../sub-runs/after-end.ts';
import { comeBackAfter, comeBackSoon, type Delivery, type Handled } from './delivery.ts';
import type { WorkerDeps } from './deps.ts';
import type { ClaimOutcome } from './run-lock.ts';

/** What becomes of the message of a run that could not be claimed. */
export async function leaveRun(
  deps: WorkerDeps,
  claim: Exclude<ClaimOutcome, { kind: 'claimed' }>,
  delivery: Delivery,
): Promise<Handled> {
  switch (claim.kind) {
    case 'stopping':
    case 'suspect':
      await delivery.hideFor(0);
      return 'again';
    case 'over':
      if (claim.run) await afterEnd(deps, claim.run);
      return 'done';
    case 'held': {
      // If the lease's holder has died by then, this worker takes the run over.
      const milliseconds = Math.max(0, claim.untilMilliseconds - deps.clock()) + 1_000;
      return comeBackAfter(deps, claim.run, delivery, milliseconds);
    }
    case 'poisoned':
      if (!(await endPoisoned(deps, claim.run))) return comeBackSoon(deps, delivery);
      await afterEnd(deps, claim.run);
      return 'done';
  }
}

export interface Pause {
  pauseMilliseconds: number;
  /** The run waits for sub-runs, and not for a provider. */
  forSubRuns: boolean;
}

/** Leaves the message in the queue while the run waits. A run that waits for sub-runs gives its place among the active ones to others. */
export async function pauseRun(
  deps: WorkerDeps,
  run: RunRecord,
  delivery: Delivery,
  { pauseMilliseconds, forSubRuns }: Pause,
): Promise<Handled> {
  const waiting = { ...run, leaseToken: undefined };
  if (forSubRuns) await makeRoom(deps, run);
  else await deps.wait?.(pauseMilliseconds);
  return comeBackAfter(deps, waiting, delivery, deps.wait && !forSubRuns ? 0 : pauseMilliseconds);
}
