import { describeError, isAwsTrouble } from '@errand/platform';
import { releaseLease } from '../lease.ts';
import { sendRun } from '../queue.ts';
import type { RunRecord } from '../run.ts';
import {
  comeBackAfter,
  comeBackSoon,
  type Delivery,
  type Handled,
  hideForLease,
  type WorkWindow,
} from './delivery.ts';
import type { WorkerDeps } from './deps.ts';
import { driveRun, type Held } from './drive-run.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { HeldLock } from './run-lock.ts';
import { Stopped } from './stop.ts';

export interface Work {
  held: Held;
  lock: HeldLock;
  delivery: Delivery;
  window: WorkWindow;
}

/** Works on a claimed run until it ends, waits or is stopped, and says what becomes of its message. */
export async function workOnRun(deps: WorkerDeps, { held, lock, delivery, window }: Work): Promise<Handled> {
  const { agentId } = held.run;
  const log = deps.log.with({ agentId, accountId: held.run.payer.accountId });
  const abort = new AbortController();
  const onAbandon = () => abort.abort(new Stopped('hand-over'));
  window.abandon.addEventListener('abort', onAbandon, { once: true });
  if (window.abandon.aborted) onAbandon();
  const keepMessage = () => hideForLease(deps, delivery);
  const stopHeartbeat = startHeartbeat(deps, { agentId, token: held.token, keepMessage }, abort);
  deps.signals.send(agentId, 'progress');
  try {
    log.info('run claimed', { deaths: held.run.deaths, lastEventId: held.run.lastEventId });
    await lock.noteShared();
    const mustStop = () => lock.afterCommit() || window.stopping();
    const drive = await driveRun({ ...deps, log }, held, abort, mustStop);
    log.info('run worked on', { outcome: drive.kind === 'ended' ? drive.how : drive.kind });
    if (drive.kind === 'ended') return 'done';
    if (drive.kind === 'hand-over') return await handOver(deps, held);
    if (drive.kind === 'waiting') {
      // A heartbeat after the pause began would hide the message for a whole lease.
      await stopHeartbeat();
      return await waitForProvider(deps, held.run, delivery, drive.pauseMilliseconds);
    }
    // The new holder may have no message of its own. There may be no new holder at all, because a commit whose answer
    // got lost looks the same.
    await releaseLease(deps, agentId, held.token, { died: true });
    return 'again';
  } catch (error) {
    log.error('run interrupted', describeError(error));
    await releaseLease(deps, agentId, held.token, { died: !isAwsTrouble(error) });
    return await comeBackSoon(deps, delivery);
  } finally {
    void stopHeartbeat();
    window.abandon.removeEventListener('abort', onAbandon);
  }
}

async function waitForProvider(
  deps: WorkerDeps,
  run: RunRecord,
  delivery: Delivery,
  milliseconds: number,
): Promise<Handled> {
  await deps.wait?.(milliseconds);
  return comeBackAfter(deps, run, delivery, deps.wait ? 0 : milliseconds);
}

/** Gives the run back and sends its next message. The worker that receives it goes on from the last commit. */
async function handOver(deps: WorkerDeps, { run, token }: Held): Promise<Handled> {
  await releaseLease(deps, run.agentId, token, { died: false });
  await sendRun(deps, run);
  return 'done';
}
