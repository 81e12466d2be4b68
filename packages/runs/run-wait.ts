import type { AgentState } from '@errand/agent';
import { limits, toIso } from '@errand/platform';
import { type Leased, leaseEnd } from './lease.ts';
import { isFinished } from './lifecycle.ts';
import type { RunRecord } from './run.ts';
import type { RunWait } from './wire.ts';

/** The part of a run that tells what it waits for. */
export type WaitingRun = Leased &
  Pick<
    RunRecord,
    | 'status'
    | 'createdAt'
    | 'sentAtMilliseconds'
    | 'waitsUntilMilliseconds'
    | 'waitsSinceMilliseconds'
    | 'patienceEndsMilliseconds'
    | 'waitsForRuns'
  >;

const shownWaitMilliseconds = limits.shownWaitSeconds * 1000;

/** What the run waits for, by its own item alone; undefined if it is over, or in work. */
export function waitOf(run: WaitingRun, now: number): RunWait | undefined {
  const { status, leaseToken, waitsUntilMilliseconds: pauseEnd } = run;
  if (isFinished(status)) return undefined;
  if (run.waitsForRuns && leaseToken === undefined) return waitForSubRuns(run, now);
  const isHeld = leaseToken !== undefined;
  const silent = isHeld ? waitForWorker(run, now) : undefined;
  if (silent) return silent;
  // A worker takes the run when its pause is over, and asks the provider again. A run that no worker takes waits for one.
  if (pauseEnd !== undefined && (isHeld || now - pauseEnd < shownWaitMilliseconds))
    return waitForProvider(run, pauseEnd, now);
  return isHeld ? undefined : waitInQueue(run, now);
}

/** A new run is in the queue for a moment, and so is any run that is handed on: that is not told. */
function waitInQueue(run: WaitingRun, now: number): RunWait | undefined {
  const { status, createdAt, sentAtMilliseconds, waitsUntilMilliseconds: pauseEnd = 0 } = run;
  const begun = status === 'queued' ? Date.parse(createdAt) : Math.max(sentAtMilliseconds, pauseEnd);
  const since = Math.min(now, begun);
  return now - since < shownWaitMilliseconds ? undefined : { for: 'queue', since: toIso(since) };
}

function waitForProvider(run: WaitingRun, retryAt: number, now: number): RunWait {
  const {
    waitsSinceMilliseconds: since = run.sentAtMilliseconds,
    patienceEndsMilliseconds: until = retryAt,
  } = run;
  return {
    for: 'model_provider',
    since: toIso(Math.min(since, now)),
    until: until > now ? toIso(until) : undefined,
    retryAt: toIso(retryAt),
  };
}

function waitForSubRuns(run: WaitingRun, now: number): RunWait {
  const { waitsSinceMilliseconds: since = run.sentAtMilliseconds, patienceEndsMilliseconds: until } = run;
  return {
    for: 'sub_runs',
    since: toIso(Math.min(since, now)),
    until: until !== undefined && until > now ? toIso(until) : undefined,
  };
}

/** A worker renews its lease three times before it ends: one that has missed a renewal may be dead. */
function waitForWorker(run: WaitingRun, now: number): RunWait | undefined {
  const { leaseMilliseconds: length } = run;
  const end = leaseEnd(run, now);
  if (length === undefined || end === 0) return undefined;
  const renewedAt = end - length;
  const isLate = now - renewedAt > length / 3 + Math.min(limits.clockSkewMilliseconds, length / 3);
  if (!isLate) return undefined;
  return { for: 'worker', since: toIso(renewedAt), until: end > now ? toIso(end) : undefined };
}

/** What a run has while it waits for a provider or for sub-runs, and loses with its next commit. */
export const pauseAttributes = [
  'waitsUntilMilliseconds',
  'waitsSinceMilliseconds',
  'patienceEndsMilliseconds',
  'waitsForRuns',
] as const satisfies readonly (keyof RunRecord)[];

interface Paused {
  pauseMilliseconds?: number;
  state?: Pick<AgentState, 'waiting'>;
  waitsForRuns?: readonly string[];
}

/** What a commit that begins a pause writes of it; undefined for any other. The run's message comes back after the pause. */
export function pauseOf({ pauseMilliseconds, state, waitsForRuns }: Paused, now: number) {
  if (pauseMilliseconds === undefined) return undefined;
  const end = now + pauseMilliseconds;
  const { sinceMilliseconds = now, untilMilliseconds = end } = state?.waiting ?? {};
  return {
    waitsUntilMilliseconds: end,
    waitsSinceMilliseconds: sinceMilliseconds,
    patienceEndsMilliseconds: untilMilliseconds,
    sentAtMilliseconds: now,
    ...(waitsForRuns && { waitsForRuns }),
  } satisfies Partial<RunRecord>;
}
