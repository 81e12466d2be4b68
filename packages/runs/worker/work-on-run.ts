import { readKeyEnd, watchKey } from '@errand/accounts';
import {
  isActing,
  isTerminal,
  type Progress,
  runAgent,
  type StopReason,
  type TerminalEvent,
} from '@errand/agent';
import { noticeCharge, releaseAbandoned } from '@errand/money';
import { ConditionsFailed, describeError, isAwsTrouble } from '@errand/platform';
import { type Checkpoint, noCheckpoint, readState } from '../checkpoint-store.ts';
import { type Commit, commitProgress, runThatRefused, statusAfter } from '../commit.ts';
import { endMessages } from '../end-run.ts';
import { claimRun, releaseLease, type Situation } from '../lease.ts';
import { isFinished, type RunStatus } from '../lifecycle.ts';
import { sendRun } from '../queue.ts';
import { authorizationsLost, readAuthorizations } from '../remote-servers.ts';
import { keyOf, type RunRecord } from '../run.ts';
import { readRun, readRunInput } from '../store.ts';
import { afterEnd } from '../sub-runs/after-end.ts';
import type { Look } from '../sub-runs/wait-for-sub-runs.ts';
import { comeBackSoon, type Delivery, type Handled, hideForLease, type WorkWindow } from './delivery.ts';
import type { HandlerDeps, WorkerDeps } from './deps.ts';
import { type HandingOn, handingOn } from './handing-on.ts';
import { startHeartbeat } from './heartbeat.ts';
import { leaveRun, type Pause, pauseRun } from './leave-run.ts';
import type { ClaimOutcome, HeldLock } from './run-lock.ts';
import { type EndReason, type HaltReason, haltReason, isEnd, Stopped } from './stop.ts';

interface RunDelivery extends Delivery {
  /** What was seen of the sub-runs that the run waits for. */
  seen: Look | undefined;
}

/** A run that a worker has claimed. */
interface Held {
  run: RunRecord;
  token: string;
  /** What the store has of its state. Absent before it was read. */
  checkpoint?: Checkpoint;
  abandoned?: boolean;
}

/** What became of the run while a worker held it. */
type Drive =
  | { kind: 'ended'; how: RunStatus | EndReason | StopReason | 'refused' }
  /** The run waits for a provider, or for sub-runs. Its lease is given back. */
  | ({ kind: 'waiting' } & Pause)
  | { kind: 'hand-over' | 'lease-lost' };

/**
 * Claims a run, drives its agent and commits the pieces that the agent yields, until the run ends, waits or is
 * stopped. Returns what becomes of the run's message.
 */
export async function workOnRun(
  deps: HandlerDeps,
  agentId: string,
  delivery: RunDelivery,
  window: WorkWindow,
): Promise<Handled> {
  const lock = await claimInTurn(deps, agentId, delivery, window);
  try {
    const { claim } = lock;
    if (claim.kind !== 'claimed') return await leaveRun(deps, claim, delivery);
    return await workOnClaimed(deps, claim, lock, delivery, window);
  } finally {
    lock.release();
  }
}

/** Claims the run when its turn comes. Its message stays hidden meanwhile. */
async function claimInTurn(
  deps: HandlerDeps,
  agentId: string,
  delivery: RunDelivery,
  window: WorkWindow,
): Promise<HeldLock> {
  const keepHidden = () =>
    hideForLease(deps, delivery).catch((error: unknown) => {
      deps.log.warn('message could not be hidden', { agentId, ...describeError(error) });
    });
  const timer = setInterval(() => void keepHidden(), deps.leaseMilliseconds / 3);
  timer.unref();
  const claim = async (how: Situation): Promise<ClaimOutcome> =>
    window.stopping() ? { kind: 'stopping' } : claimRun(deps, agentId, { ...how, seen: delivery.seen });
  try {
    const lock = await deps.runLock.acquire('shared', claim);
    if (lock.claim.kind !== 'suspect') return lock;
    lock.release();
    return await deps.runLock.acquire('exclusive', claim);
  } finally {
    clearInterval(timer);
  }
}

async function workOnClaimed(
  given: WorkerDeps,
  held: Held,
  lock: HeldLock,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Handled> {
  const { run, token } = held;
  const { agentId, payer, deaths, deathsShared, lastEventId, thread } = run;
  const deps = { ...given, log: given.log.with({ agentId, accountId: payer.accountId }) };
  const work = new AbortController();
  const onAbandon = () => stop(work, 'hand-over');
  window.abandon.addEventListener('abort', onAbandon, { once: true });
  if (window.abandon.aborted) onAbandon();
  const keepMessage = () => hideForLease(deps, delivery);
  const stopHeartbeat = startHeartbeat(given, { agentId, token, keepMessage }, work);
  deps.signals.send(agentId, 'progress');
  try {
    deps.log.info('run claimed', { deaths, deathsShared, abandoned: held.abandoned, lastEventId, thread });
    await lock.noteShared();
    if (held.abandoned) {
      deps.log.info('run goes on: the process that worked on it has ended');
      // What the dead worker has set aside must not be missing to this one.
      await releaseAbandoned(deps, payer, agentId);
    }
    const drive = await driveRun(deps, held, work, handingOn(lock, window));
    deps.log.info('run worked on', { outcome: drive.kind === 'ended' ? drive.how : drive.kind });
    switch (drive.kind) {
      case 'ended':
        await afterEnd(deps, run);
        return 'done';
      case 'hand-over':
        // The worker that receives the next message goes on from the last commit.
        await releaseLease(deps, agentId, token, { died: false });
        await sendRun(deps, run);
        return 'done';
      case 'waiting':
        // A heartbeat after the pause began would hide the message for a whole lease.
        await stopHeartbeat();
        return await pauseRun(deps, run, delivery, drive);
      case 'lease-lost':
        // The new holder may have no message of its own. There may be no new holder at all, because a commit whose answer
        // got lost looks the same.
        await releaseLease(deps, agentId, token, { died: true });
        return 'again';
    }
  } catch (error) {
    deps.log.error('run interrupted', describeError(error));
    await releaseLease(deps, agentId, token, { died: !isAwsTrouble(error) });
    return await comeBackSoon(deps, delivery);
  } finally {
    void stopHeartbeat();
    window.abandon.removeEventListener('abort', onAbandon);
  }
}

/**
 * Goes on from the run's last checkpoint and commits what the agent yields. Calls that act are waited for before the run
 * is handed on. Throws failures that are not the run's own.
 */
async function driveRun(
  deps: WorkerDeps,
  held: Held,
  work: AbortController,
  handing: HandingOn,
): Promise<Drive> {
  let { run } = held;
  let stopWatching = () => {};
  try {
    const [input, authorizations, kept, keyEnd, isWanted] = await Promise.all([
      readRunInput(deps, run.agentId),
      readAuthorizations(deps, run),
      readState(deps, run),
      readKeyEnd(deps, keyOf(run)),
      isStillWanted(deps, run),
    ]);
    if (run.cancelRequested || !isWanted) throw stop(work, 'cancelled');
    if (keyEnd) throw stop(work, keyEnd);
    stopWatching = watchKey(deps, keyOf(run), (end) => stop(work, end));
    const agent = authorizations
      ? deps.makeAgent(run, input, authorizations)
      : { problem: authorizationsLost };
    if ('problem' in agent) {
      const end = { type: 'error' as const, message: agent.problem };
      await commit(deps, held, { events: [end], costs: [] }, work);
      return { kind: 'ended', how: statusAfter(end.type) };
    }
    const driven = { ...agent, isStopping: handing.now };
    const checkpoint = kept?.checkpoint ?? noCheckpoint();
    for await (const progress of runAgent(driven, input.agent, kept?.state, work.signal)) {
      const { pauseMilliseconds, waitsForRuns } = progress;
      if (!isToCommit(progress, work.signal)) continue;
      run = await commit(deps, { ...held, run, checkpoint }, progress, work);
      if (pauseMilliseconds !== undefined)
        return { kind: 'waiting', pauseMilliseconds, forSubRuns: waitsForRuns !== undefined };
      const end = progress.events.find(isTerminal);
      if (end) return { kind: 'ended', how: howEnded(progress, end) };
      // A run that is being ended is not handed over to another worker.
      const mayStop = !work.signal.aborted && !isActing(progress.state);
      if (handing.afterCommit() && mayStop) return { kind: 'hand-over' };
    }
    throw new Error('the agent stopped before the end of the run');
  } catch (error) {
    const reason = haltReason(work.signal);
    if (reason === undefined) throw error;
    if (!isEnd(reason)) return { kind: reason };
    return (await endEarly(deps, held, reason)) ? { kind: 'ended', how: reason } : { kind: 'lease-lost' };
  } finally {
    stopWatching();
  }
}

/** A sub-run is of no use to anybody once the run that has started it is over. */
async function isStillWanted(deps: WorkerDeps, { parentRunId }: RunRecord): Promise<boolean> {
  if (parentRunId === undefined) return true;
  const parent = await readRun(deps, parentRunId);
  return parent !== undefined && !isFinished(parent.status);
}

/** Costs alone are committed only if the run ends now: another worker that goes on repeats the calls and charges for them. */
function isToCommit(progress: Progress, signal: AbortSignal): boolean {
  const { events, costs, pauseMilliseconds, isIntent } = progress;
  if (events.length > 0 || pauseMilliseconds !== undefined || isIntent) return true;
  const isGoingOn = signal.aborted && !isEnd(haltReason(signal));
  return costs.length > 0 && !isGoingOn;
}

/** A run that fails for its schema, or for credits, says so: its caller can mend that, and no operator. */
function howEnded({ isRefused, state }: Progress, { type }: TerminalEvent) {
  if (isRefused) return 'refused';
  const stopReason = state.phase === 'ended' ? state.stopReason : undefined;
  return type === 'error' && stopReason ? stopReason : statusAfter(type);
}

/**
 * Commits a piece of work. If the commit is refused, finds out why and stops. Work before a cancellation is kept and
 * charged, and what it announces is not begun.
 */
async function commit(
  deps: WorkerDeps,
  { run, token, checkpoint }: Held,
  progress: Commit & Pick<Progress, 'alone'>,
  work: AbortController,
): Promise<RunRecord> {
  try {
    const committed = await commitProgress(deps, run, { token }, progress, { checkpoint });
    for (const { amountNanoEuro } of progress.costs) noticeCharge(deps, run.payer, amountNanoEuro);
    deps.signals.send(run.agentId, 'progress');
    return committed;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const now = runThatRefused(error);
    const ours = now?.leaseToken === token && now.lastEventId === run.lastEventId;
    if (!ours || !now.cancelRequested) throw stop(work, 'lease-lost');
    const left = withoutEnd({ ...progress, ...progress.alone });
    await commitProgress(deps, run, { token }, left, { evenIfCancelled: true, checkpoint });
    deps.signals.send(run.agentId, 'progress');
    throw stop(work, 'cancelled');
  }
}

/**
 * A run that was asked to stop ends as cancelled, even if its last piece of work was already done. Nobody learns of the end that it would
 * have had, so that another run goes on from the state before.
 */
const withoutEnd = ({ events, costs, state }: Commit): Commit => ({
  events: events.filter((event) => !isTerminal(event)),
  costs,
  state: events.some(isTerminal) ? undefined : state,
});

function stop(work: AbortController, reason: HaltReason): Stopped {
  const stopped = new Stopped(reason);
  work.abort(stopped);
  return stopped;
}

/** Ends the run where it stands. Resolves with false, and writes nothing, if another worker holds it now. */
async function endEarly(
  deps: WorkerDeps,
  { run: { agentId }, token }: Held,
  reason: EndReason,
): Promise<boolean> {
  const run = await readRun(deps, agentId);
  if (run?.leaseToken !== token || run.status !== 'running') return false;
  const commit: Commit = { events: [{ type: 'error', message: endMessages[reason] }], costs: [] };
  await commitProgress(deps, run, { token }, commit, { evenIfCancelled: true });
  deps.signals.send(agentId, 'progress');
  return true;
}
