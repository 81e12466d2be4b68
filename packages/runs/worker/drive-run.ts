import { readKeyEnd, watchKey } from '@errand/accounts';
import { type AgentState, isTerminal, type Progress, runAgent } from '@errand/agent';
import { noticeCharge } from '@errand/money';
import { ConditionsFailed } from '@errand/platform';
import { type Commit, commitProgress, runThatRefused, statusAfter } from '../commit.ts';
import { endMessages } from '../end-run.ts';
import type { RunStatus } from '../lifecycle.ts';
import { type Authorizations, readAuthorizations } from '../remote-servers.ts';
import { keyOf, type RunRecord } from '../run.ts';
import { type RunInput, readInput, readRun, readState } from '../store.ts';
import type { WorkerDeps } from './deps.ts';
import { type EndReason, isEnd, Stopped, type StopReason, stopReason } from './stop.ts';

export interface Held {
  run: RunRecord;
  token: string;
}

/** What became of the run while a worker held it. */
export type Drive =
  | { kind: 'ended'; how: RunStatus | EndReason }
  /** It waits for a provider. Its lease is given back. */
  | { kind: 'waiting'; pauseMilliseconds: number }
  | { kind: 'hand-over' | 'lease-lost' };

/**
 * Works on a claimed run from its last checkpoint and commits what the agent yields, until the run ends, waits or is
 * stopped. `mustStop` is asked after each commit, because stopping there loses no work and repeats none. Throws failures
 * that are not the run's own.
 */
export async function driveRun(
  deps: WorkerDeps,
  held: Held,
  work: AbortController,
  mustStop: () => boolean,
): Promise<Drive> {
  const { agentId } = held.run;
  try {
    return await drive(deps, held, work, mustStop);
  } catch (error) {
    const reason = stopReason(work.signal);
    if (reason === undefined) throw error;
    if (!isEnd(reason)) return { kind: reason };
    const run = await readRun(deps, agentId);
    if (run && run.leaseToken === held.token) await endEarly(deps, { ...held, run }, reason);
    return { kind: 'ended', how: reason };
  }
}

async function drive(
  deps: WorkerDeps,
  held: Held,
  work: AbortController,
  mustStop: () => boolean,
): Promise<Drive> {
  const { run } = held;
  const { agentId } = run;
  const [input, authorizations, state, keyEnd] = await Promise.all([
    readInput(deps, agentId),
    readAuthorizations(deps, run),
    readState(deps, agentId),
    readKeyEnd(deps, keyOf(run)),
  ]);
  if (run.cancelRequested) throw stop(work, 'cancelled');
  if (keyEnd) throw stop(work, keyEnd);
  const stopWatching = watchKey(deps, keyOf(run), (end) => stop(work, end));
  try {
    return await advance(deps, held, { input, authorizations, state }, work, mustStop);
  } finally {
    stopWatching();
  }
}

async function advance(
  deps: WorkerDeps,
  held: Held,
  { input, authorizations, state }: { input: RunInput; authorizations: Authorizations; state?: AgentState },
  work: AbortController,
  mustStop: () => boolean,
): Promise<Drive> {
  let { run } = held;
  const agent = deps.makeAgent(run, input, authorizations);
  if ('problem' in agent) {
    const end = { type: 'error' as const, message: agent.problem };
    await commit(deps, held, { events: [end], costs: [] }, work);
    return { kind: 'ended', how: statusAfter(end.type) };
  }
  for await (const progress of runAgent(agent, input.agent, state, work.signal)) {
    const { pauseMilliseconds } = progress;
    if (!isToCommit(progress, work.signal)) continue;
    run = await commit(deps, { ...held, run }, progress, work);
    if (pauseMilliseconds !== undefined) return { kind: 'waiting', pauseMilliseconds };
    const end = progress.events.find(isTerminal);
    if (end) return { kind: 'ended', how: statusAfter(end.type) };
    if (mustStop()) return { kind: 'hand-over' };
  }
  throw new Error('the agent stopped before the end of the run');
}

function isToCommit({ events, costs, pauseMilliseconds }: Progress, signal: AbortSignal): boolean {
  if (events.length > 0 || pauseMilliseconds !== undefined) return true;
  return costs.length > 0 && !isGoingOn(signal);
}

/** Whether another worker goes on with the stopped work. It repeats the unanswered calls and charges for them. */
const isGoingOn = (signal: AbortSignal): boolean => signal.aborted && !isEnd(stopReason(signal));

/**
 * Commits a piece of work. If the commit is refused, finds out why and stops. Work before a cancellation is kept and
 * charged.
 */
async function commit(
  deps: WorkerDeps,
  held: Held,
  progress: Commit,
  work: AbortController,
): Promise<RunRecord> {
  const { run, token } = held;
  try {
    const committed = await commitProgress(deps, run, { token }, progress);
    for (const { amountNanoEuro } of progress.costs) noticeCharge(deps, run.payer, amountNanoEuro);
    deps.signals.send(run.agentId, 'progress');
    return committed;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const now = runThatRefused(error);
    const ours = now?.leaseToken === token && now.lastEventId === run.lastEventId;
    if (!ours || !now.cancelRequested) throw stop(work, 'lease-lost');
    await commitProgress(deps, run, { token }, withoutEnd(progress), { evenIfCancelled: true });
    deps.signals.send(run.agentId, 'progress');
    throw stop(work, 'cancelled');
  }
}

/** A run that was asked to stop ends as cancelled, even if its last piece of work was already done. */
const withoutEnd = ({ events, costs, state }: Commit): Commit => ({
  events: events.filter((event) => !isTerminal(event)),
  costs,
  state,
});

function stop(work: AbortController, reason: StopReason): Stopped {
  const stopped = new Stopped(reason);
  work.abort(stopped);
  return stopped;
}

async function endEarly(deps: WorkerDeps, { run, token }: Held, reason: EndReason): Promise<void> {
  if (run.status !== 'running') return;
  const commit: Commit = { events: [{ type: 'error', message: endMessages[reason] }], costs: [] };
  await commitProgress(deps, run, { token }, commit, { evenIfCancelled: true });
  deps.signals.send(run.agentId, 'progress');
}
