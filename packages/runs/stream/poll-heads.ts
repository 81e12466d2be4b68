import { createSemaphore, isAwsTrouble, limits, perConnection } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import { resendIfForgotten } from '../resend.ts';
import { readRun } from '../store.ts';
import { headsPerRead, type RunHead, readHeads } from './head-store.ts';
import { warnRarely } from './requests.ts';
import { noteProgress, type Watch, type Watches, watchesOf } from './run-watches.ts';

/**
 * The waits between polls of a run. They grow while no event comes, and start again after each event. A run that waits a
 * second for a place among those of others is seen within half a second of its beginning.
 */
const pollMilliseconds = [100, 200, 300, 500, 500, 500, 1_000];
const resendLookMilliseconds = limits.keepAliveMilliseconds;

const semaphoreOf = perConnection(() => createSemaphore(limits.headReadsAtOnce));

/**
 * Schedules the next poll of a run for which readers wait. Polls fall on whole multiples of their waits, so that
 * those of many quiet runs come together.
 */
export function planPoll(watch: Watch): void {
  if (watch.polling) return;
  const wait = pollMilliseconds[Math.min(watch.idlePolls, pollMilliseconds.length - 1)] ?? 0;
  const dueAt = (Math.floor(performance.now() / wait) + 1) * wait;
  watch.dueAt = Math.min(watch.dueAt, dueAt);
  const watches = watchesOf(watch.deps);
  if (watch.dueAt < watches.timerAt) startTimer(watch.deps, watches, watch.dueAt);
}

function startTimer(deps: RunsDeps, watches: Watches, at: number): void {
  clearTimeout(watches.timer);
  watches.timerAt = at;
  if (at === Number.POSITIVE_INFINITY) return;
  watches.timer = setTimeout(() => pollDue(deps, watches), Math.max(0, Math.ceil(at - performance.now())));
}

function pollDue(deps: RunsDeps, watches: Watches): void {
  const now = performance.now();
  const due: Watch[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (const watch of watches.all.values()) {
    if (watch.dueAt > now) next = Math.min(next, watch.dueAt);
    else {
      watch.dueAt = Number.POSITIVE_INFINITY;
      watch.polling = watch.waiting.size > 0;
      if (watch.polling) due.push(watch);
    }
  }
  startTimer(deps, watches, next);
  for (let at = 0; at < due.length; at += headsPerRead) void poll(deps, due.slice(at, at + headsPerRead));
}

async function poll(deps: RunsDeps, due: readonly Watch[]): Promise<void> {
  const release = await semaphoreOf(deps).take();
  const wanted = due.filter(({ waiting }) => waiting.size > 0);
  try {
    const ids = wanted.map(({ agentId }) => agentId);
    const heads = await readHeads(deps, ids);
    for (const watch of wanted) {
      // A run that is missing in the read may have been created after it.
      const head = heads.get(watch.agentId) ?? (await readRun(deps, watch.agentId));
      if (head) note(watch, head);
      else for (const reader of [...watch.waiting]) reader.wake('gone');
    }
  } catch (error) {
    for (const watch of wanted) watch.idlePolls++;
    // A store that is away for a while ends no stream.
    if (isAwsTrouble(error)) warnRarely(deps, 'runs not polled', error);
    else for (const { waiting } of wanted) for (const reader of [...waiting]) reader.fail(error);
  } finally {
    release();
    for (const watch of due) {
      watch.polling = false;
      if (watch.waiting.size > 0) planPoll(watch);
    }
  }
}

function note(watch: Watch, head: RunHead): void {
  const { deps, lastEventId = head.lastEventId } = watch;
  watch.lastEventId = head.lastEventId;
  if (head.lastEventId > lastEventId) noteProgress(watch);
  else watch.idlePolls++;
  const now = deps.clock();
  // A clock that went back is no reason to wait.
  if (now < watch.resendLookAt || now - watch.resendLookAt >= resendLookMilliseconds) {
    watch.resendLookAt = now;
    void resendIfForgotten(deps, head);
  }
  for (const reader of [...watch.waiting]) if (reader.isNews(head)) reader.wake(head);
}
