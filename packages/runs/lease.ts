import { limits, newUuid, toIso } from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { isFinished, statusCondition } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import { type RunUpdate, readRun, updateRun } from './store.ts';
import { type Look, nextLook, waitsForSubRuns } from './sub-runs/wait-for-sub-runs.ts';

export interface LeaseDeps extends RunStoreDeps {
  leaseMilliseconds: number;
  /** Absent where nobody can tell which workers have ended. */
  process?: WorkerProcess;
}

/** A worker's process, among those that can tell of each other whether they have ended. */
export interface WorkerProcess {
  /** The tokens of its leases begin with it. */
  name: string;
  /** True only if the process of this token's lease has ended for certain. */
  hasEnded(leaseToken: string): boolean;
}

/** The outcome of a worker's attempt to take a run. */
export type Claim =
  /** `abandoned`: the process that held the run has ended. */
  | { kind: 'claimed'; run: RunRecord; token: string; abandoned: boolean }
  /** A worker has the run, or it waits for its provider or for sub-runs. */
  | { kind: 'held'; run: RunRecord; untilMilliseconds: number }
  /** The run may have killed its workers: it must be claimed as a suspect. */
  | { kind: 'suspect' }
  /** The run's workers died too often. The caller of `claimRun` ends the run. */
  | { kind: 'poisoned'; run: RunRecord }
  | { kind: 'over'; run?: RunRecord | undefined };

/** How a worker takes a run. `alone`: it has no other run. `isSuspect`: it takes no other before this run's next commit. */
export interface Situation {
  alone: boolean;
  isSuspect: boolean;
}

interface Claiming extends Situation {
  /** What was seen of the run's sub-runs a moment before. */
  seen?: Look | undefined;
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

/** A run that waits for sub-runs goes on as soon as they are over, whoever asks. */
async function waitEnd(deps: RunStoreDeps, run: RunRecord, now: number, seen?: Look): Promise<number> {
  if (!run.waitsForRuns) return pauseEnd(run, now);
  return (await waitsForSubRuns(deps, run, seen)) ? nextLook(now) : 0;
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
export async function claimRun(deps: LeaseDeps, agentId: string, how: Claiming): Promise<Claim> {
  const token = deps.process ? `${deps.process.name}.${newUuid()}` : newUuid();
  let run = await readRun(deps, agentId);
  let abandoned = false;
  for (;;) {
    if (!run || isFinished(run.status)) return { kind: 'over', run };
    // The SDK sends a claim again if its answer got lost. The second one is refused, though the run is ours.
    if (run.leaseToken === token) return { kind: 'claimed', run, token, abandoned };
    const now = deps.clock();
    abandoned = isAbandoned(deps, run);
    const waitsUntil = await waitEnd(deps, run, now, how.seen);
    const untilMilliseconds = Math.max(abandoned ? 0 : leaseEnd(run, now), waitsUntil);
    if (untilMilliseconds > now) return { kind: 'held', run, untilMilliseconds };
    const counts = countDeath(run);
    if (counts.deaths >= limits.deathsPerRun) return { kind: 'poisoned', run };
    if (!how.isSuspect && mayHaveKilled(run, counts)) return { kind: 'suspect' };
    ({ run } = await takeLease(deps, run, { token, alone: how.alone, now, abandoned, ...counts }));
  }
}

/**
 * True if the run need not wait for the lease of its dead worker. After a second death it waits, so that a service that is
 * killed again and again within seconds does not end it.
 */
const isAbandoned = ({ process }: LeaseDeps, { leaseToken, deaths, deathsShared = 0 }: RunRecord): boolean =>
  leaseToken !== undefined && deaths + deathsShared === 0 && process?.hasEnded(leaseToken) === true;

/** The run's deaths, with that of a worker whose lease ran out or whose process has ended. */
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
  lease: {
    token: string;
    alone: boolean;
    now: number;
    abandoned: boolean;
    deaths: number;
    deathsShared: number;
  },
): Promise<RunUpdate> {
  const status = statusCondition('claim');
  // Nobody renews an abandoned lease: it suffices that nobody has taken it.
  const unheld = lease.abandoned ? undefined : unheldCondition(run, lease.now);
  const unchanged =
    run.leaseToken === undefined ? 'attribute_not_exists(leaseToken)' : 'leaseToken = :before';
  return updateRun(deps, run.agentId, {
    condition: 'run-free',
    UpdateExpression: [
      'SET #status = :to, leaseToken = :token, leaseUntilMilliseconds = :until, leaseMilliseconds = :length',
      ', deaths = :deaths, deathsShared = :deathsShared, updatedAt = :at',
      lease.alone ? ', alone = :alone' : ' REMOVE alone',
    ].join(''),
    ConditionExpression: [status.condition, unchanged, unheld?.condition].filter(Boolean).join(' AND '),
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...status.values,
      ...unheld?.values,
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
