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
  /** A worker has the run, or it waits for its provider. */
  | { kind: 'held'; run: RunRecord; untilMilliseconds: number }
  /** The run may have killed its workers: it must be claimed as a suspect. */
  | { kind: 'suspect' }
  /** The run's workers died too often. The caller of `claimRun` ends the run. */
  | { kind: 'poisoned'; run: RunRecord }
  | { kind: 'over' };

/** How a worker takes a run. `alone`: it has no other run. `isSuspect`: it takes no other before this run's next commit. */
export interface Situation {
  alone: boolean;
  isSuspect: boolean;
}

/** The part of a run that tells whether a worker holds it. */
export type Leased = Pick<RunRecord, 'leaseToken' | 'leaseMilliseconds' | 'leaseUntilMilliseconds'>;

/** What a run has while a worker holds it, and loses when its lease is given back. */
export const leaseAttributes = [
  'leaseToken',
  'leaseUntilMilliseconds',
  'alone',
] as const satisfies readonly (keyof RunRecord)[];

/** Whether a worker holds the run: it has a lease that has not run out. */
export const isHeld = (run: Leased, nowMilliseconds: number): boolean =>
  leaseEnd(run, nowMilliseconds) > nowMilliseconds;

/**
 * When the run's lease ends or ended. 0 if there is none, or if it would end later than a lease can last: it was taken
 * before the clock was set back.
 */
export function leaseEnd(run: Leased, nowMilliseconds: number): number {
  const { leaseToken, leaseUntilMilliseconds: until = 0 } = run;
  return leaseToken === undefined || until > furthestEnd(run, nowMilliseconds) ? 0 : until;
}

const furthestEnd = (run: Leased, now: number): number =>
  now + (run.leaseMilliseconds ?? limits.longestLeaseSeconds * 1000) + limits.clockSkewMilliseconds;

/**
 * When the run's pause ends or ended: until then a second message of the run must not ask the provider again. 0 if there
 * is none, or if it was begun before the clock was set back.
 */
function pauseEnd({ waitsUntilMilliseconds: until = 0 }: RunRecord, now: number): number {
  return until > now + limits.longestPauseMilliseconds + limits.clockSkewMilliseconds ? 0 : until;
}

/** The condition that no worker holds the run, and its values. */
export const unheldCondition = (run: Leased, nowMilliseconds: number) => ({
  condition:
    '(attribute_not_exists(leaseToken) OR leaseUntilMilliseconds <= :now OR leaseUntilMilliseconds > :furthest)',
  values: { ':now': nowMilliseconds, ':furthest': furthestEnd(run, nowMilliseconds) },
});

/**
 * Takes the run if no worker holds it. A lease that ran out counts as a death of its worker; a lease that was given
 * back does not. The run's new token makes every later write of an old holder fail.
 */
export async function claimRun(deps: LeaseDeps, agentId: string, how: Situation): Promise<Claim> {
  const token = newUuid();
  let run = await readRun(deps, agentId);
  for (;;) {
    if (!run || isFinished(run.status)) return { kind: 'over' };
    // The SDK sends a claim again if its answer got lost. The second one is refused, though the run is ours.
    if (run.leaseToken === token) return { kind: 'claimed', run, token };
    const now = deps.clock();
    const untilMilliseconds = Math.max(leaseEnd(run, now), pauseEnd(run, now));
    if (untilMilliseconds > now) return { kind: 'held', run, untilMilliseconds };
    const counts = countDeath(run);
    if (counts.deaths >= limits.deathsPerRun) return { kind: 'poisoned', run };
    if (!how.isSuspect && mayHaveKilled(run, counts)) return { kind: 'suspect' };
    ({ run } = await takeLease(deps, run, { token, alone: how.alone, now, ...counts }));
  }
}

/** The run's deaths, with that of a worker whose lease ran out. */
function countDeath({ leaseToken, alone, deaths, deathsShared = 0 }: RunRecord) {
  const died = leaseToken === undefined ? 0 : 1;
  return alone ? { deaths: deaths + died, deathsShared } : { deaths, deathsShared: deathsShared + died };
}

/**
 * True if the run's worker died while it had no other run, or if workers that had other runs too died again and
 * again.
 */
const mayHaveKilled = ({ leaseToken, alone }: RunRecord, counts: { deathsShared: number }): boolean =>
  (leaseToken !== undefined && alone === true) || counts.deathsShared >= limits.deathsShared;

function takeLease(
  deps: LeaseDeps,
  run: RunRecord,
  lease: { token: string; alone: boolean; now: number; deaths: number; deathsShared: number },
): Promise<RunUpdate> {
  const status = statusCondition('claim');
  const unheld = unheldCondition(run, lease.now);
  const unchanged =
    run.leaseToken === undefined ? 'attribute_not_exists(leaseToken)' : 'leaseToken = :before';
  return updateRun(deps, run.agentId, {
    condition: 'run-free',
    UpdateExpression: [
      'SET #status = :to, leaseToken = :token, leaseUntilMilliseconds = :until, leaseMilliseconds = :length',
      ', deaths = :deaths, deathsShared = :deathsShared, updatedAt = :at',
      lease.alone ? ', alone = :alone' : ' REMOVE alone',
    ].join(''),
    ConditionExpression: `${status.condition} AND ${unchanged} AND ${unheld.condition}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...status.values,
      ...unheld.values,
      ...(run.leaseToken !== undefined && { ':before': run.leaseToken }),
      ...(lease.alone && { ':alone': true }),
      ':token': lease.token,
      ':until': lease.now + deps.leaseMilliseconds,
      ':length': deps.leaseMilliseconds,
      ':deaths': lease.deaths,
      ':deathsShared': lease.deathsShared,
      ':at': toIso(lease.now),
    },
  });
}

/** Notes that the run shares its worker with others. Does nothing if the lease is no longer ours. */
export async function noteShared(deps: RunStoreDeps, agentId: string, token: string): Promise<void> {
  await updateRun(deps, agentId, {
    condition: 'lease-ours',
    UpdateExpression: 'REMOVE alone',
    ConditionExpression: 'leaseToken = :token',
    ExpressionAttributeValues: { ':token': token },
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

/**
 * Gives the run back for another worker to go on with, if it is still ours. `died` counts a death, which is the run's
 * own: the worker lives.
 */
export async function releaseLease(
  deps: RunStoreDeps,
  agentId: string,
  token: string,
  { died }: { died: boolean },
): Promise<void> {
  await updateRun(deps, agentId, {
    condition: 'lease-ours',
    UpdateExpression: `SET sentAtMilliseconds = :now REMOVE ${leaseAttributes.join(', ')} ADD deaths :died`,
    ConditionExpression: 'leaseToken = :token',
    ExpressionAttributeValues: { ':token': token, ':died': died ? 1 : 0, ':now': deps.clock() },
  });
}
