import { limits } from '@errand/platform';
import {
  addActiveRun,
  addWaitingRun,
  removeActiveRuns,
  removeWaitingRun,
  waitingRuns,
} from './active-runs-store.ts';
import type { RunsDeps } from './deps.ts';
import { isFinished } from './lifecycle.ts';
import { sendRun } from './queue.ts';
import type { RunRecord } from './run.ts';
import { readRuns } from './store.ts';
import { type Look, waitsForSubRuns } from './sub-runs/wait-for-sub-runs.ts';

/**
 * Counts a run that starts among its account's active ones: those that have started and are not finished, whoever
 * works on them. False if the account already has as many as allowed: the run stays queued. The run gets a message
 * when an active run ends, and another message after some minutes in any case.
 */
export async function becomeActive(deps: RunsDeps, run: RunRecord, seen?: Look): Promise<boolean> {
  if (deps.activeRunsPerAccount === 0) return true;
  // A run that waits for sub-runs has given its place away, and takes one again when they are over.
  const begins = run.waitsForRuns ? !(await waitsForSubRuns(deps, run, seen)) : run.status === 'queued';
  if (isFinished(run.status) || !begins) return true;
  const isActive = await addOrWait(deps, run);
  if (isActive) await removeWaitingRun(deps, run);
  return isActive;
}

async function addOrWait(deps: RunsDeps, run: RunRecord): Promise<boolean> {
  if ((await addActiveRun(deps, run, deps.activeRunsPerAccount)) === undefined) return true;
  // An active run that ends from now on finds this run waiting. A run that has just ended may not have found it.
  const isDue = await addWaitingRun(deps, run);
  if (await addAgain(deps, run)) return true;
  if (isDue) await sendRun(deps, run, { delaySeconds: limits.waitingRunSeconds });
  return false;
}

/**
 * Tries once more without the runs that have ended, or wait for sub-runs, but are still counted: their message was lost, or nobody knew
 * their account.
 */
async function addAgain(deps: RunsDeps, run: RunRecord): Promise<boolean> {
  const active = await addActiveRun(deps, run, deps.activeRunsPerAccount);
  if (!active) return true;
  const unfinished = (await readRuns(deps, active)).filter(({ status }) => !isFinished(status));
  const waiting = await Promise.all(unfinished.map((each) => waitsForSubRuns(deps, each)));
  const counted = new Set(unfinished.filter((_, i) => !waiting[i]).map(({ agentId }) => agentId));
  const ended = active.filter((agentId) => !counted.has(agentId));
  if (ended.length === 0) return false;
  await removeActiveRuns(deps, run.payer.accountId, ended);
  return (await addActiveRun(deps, run, deps.activeRunsPerAccount)) === undefined;
}

/** Gives the place of a run that is over, or waits for sub-runs, to the runs that have waited longest. */
export async function makeRoom(deps: RunsDeps, run: RunRecord): Promise<void> {
  if (deps.activeRunsPerAccount === 0) return;
  const { payer } = run;
  await removeWaitingRun(deps, run);
  const active = await removeActiveRuns(deps, payer.accountId, [run.agentId]);
  const room = deps.activeRunsPerAccount - active.length;
  if (room <= 0) return;
  const waiting = await waitingRuns(deps, payer.accountId, room);
  for (const next of await readRuns(deps, waiting)) await sendRun(deps, next);
}
