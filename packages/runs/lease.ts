import { limits, newUuid, toIso } from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { isFinished, statusCondition } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { type RunUpdate, readRun, updateRun } from './store.ts';

export interface LeaseDeps extends RunStoreDeps {
  leaseMilliseconds: number;
}

/** The outcome of a worker's attempt to take a run. */
export type Claim =
  | { kind: 'claimed'; run: RunRecord; token: string }
  | { kind: 'held'; run: RunRecord; untilMilliseconds: number }
  /** The run's workers died too often. The caller of `claimRun` ends the run. */
  | { kind: 'poisoned'; run: RunRecord }
  | { kind: 'over' };

/** Whether a worker holds the run: it has a lease that has not run out. */
export const isHeld = (run: RunRecord, nowMilliseconds: number): boolean =>
  run.leaseToken !== undefined && (run.leaseUntilMilliseconds ?? 0) > nowMilliseconds;

/**
 * Takes the run if no worker holds it. A lease that ran out counts as a death of its worker; a lease that was given
 * back does not. The run's new token makes every later write of an old holder fail.
 */
export async function claimRun(deps: LeaseDeps, agentId: string): Promise<Claim> {
  const token = newUuid();
  let run = await readRun(deps, agentId);
  for (;;) {
    if (!run || isFinished(run.status)) return { kind: 'over' };
    // The SDK sends a claim again if its answer got lost. The second one is refused, though the run is ours.
    if (run.leaseToken === token) return { kind: 'claimed', run, token };
    const now = deps.clock();
    if (isHeld(run, now)) return { kind: 'held', run, untilMilliseconds: run.leaseUntilMilliseconds ?? now };
    const deaths: number = run.deaths + (run.leaseToken === undefined ? 0 : 1);
    if (deaths >= limits.deathsPerRun) return { kind: 'poisoned', run };
    ({ run } = await takeLease(deps, run, { token, deaths, now }));
  }
}

function takeLease(
  deps: LeaseDeps,
  run: RunRecord,
  lease: { token: string; deaths: number; now: number },
): Promise<RunUpdate> {
  const status = statusCondition('claim');
  const unchanged =
    run.leaseToken === undefined ? 'attribute_not_exists(leaseToken)' : 'leaseToken = :before';
  return updateRun(deps, run.agentId, {
    condition: 'run-free',
    UpdateExpression:
      'SET #status = :to, leaseToken = :token, leaseUntilMilliseconds = :until, deaths = :deaths, updatedAt = :at',
    ConditionExpression: `${status.condition} AND ${unchanged} AND (attribute_not_exists(leaseUntilMilliseconds) OR leaseUntilMilliseconds <= :now)`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...status.values,
      ...(run.leaseToken !== undefined && { ':before': run.leaseToken }),
      ':token': lease.token,
      ':until': lease.now + deps.leaseMilliseconds,
      ':deaths': lease.deaths,
      ':now': lease.now,
      ':at': toIso(lease.now),
    },
  });
}

/** Keeps the lease for another term. Undefined if the lease is no longer ours. */
export async function renewLease(
  deps: LeaseDeps,
  agentId: string,
  token: string,
): Promise<RunRecord | undefined> {
  const { done, run } = await updateRun(deps, agentId, {
    condition: 'lease-ours',
    UpdateExpression: 'SET leaseUntilMilliseconds = :until',
    ConditionExpression: 'leaseToken = :token',
    ExpressionAttributeValues: { ':token': token, ':until': deps.clock() + deps.leaseMilliseconds },
  });
  return done ? run : undefined;
}

/** Gives the run back for another worker to go on with, if it is still ours. `died` counts a death. */
export async function releaseLease(
  deps: RunStoreDeps,
  agentId: string,
  token: string,
  { died }: { died: boolean },
): Promise<void> {
  await updateRun(deps, agentId, {
    condition: 'lease-ours',
    UpdateExpression:
      'SET sentAtMilliseconds = :now REMOVE leaseToken, leaseUntilMilliseconds ADD deaths :died',
    ConditionExpression: 'leaseToken = :token',
    ExpressionAttributeValues: { ':token': token, ':died': died ? 1 : 0, ':now': deps.clock() },
  });
}
