import { applyCharge, type Charge } from '@errand/accounts';
import { describeError, isAwsTrouble, type LogFields } from '@errand/platform';
import { endPoisoned } from '../end-run.ts';
import { releaseLease } from '../lease.ts';
import { isFinished } from '../lifecycle.ts';
import { type QueueMessage, sendRun } from '../queue.ts';
import type { RunRecord } from '../run.ts';
import { readRun } from '../store.ts';
import { becomeActive, makeRoom } from './active-runs.ts';
import type { Place } from './company.ts';
import type { WorkerDeps } from './deps.ts';
import { driveRun, type Held } from './drive-run.ts';
import { startHeartbeat } from './heartbeat.ts';
import { Stopped } from './stop.ts';
import { type HandlerDeps, takePlace } from './take-place.ts';

/** A message of the queue, with the operations on it. */
export interface Delivery {
  body: string;
  receiveCount: number;
  /** Hides the message for this long from now on. */
  hideFor(seconds: number): Promise<void>;
}

/** When to stop. Work stops between two commits once `stopping` says so, and at once when `abandon` aborts. */
export interface WorkWindow {
  stopping(): boolean;
  abandon: AbortSignal;
}

/** `done`: the message may be deleted. `again`: the message stays in the queue and comes back when it is visible again. */
export type Handled = 'done' | 'again';

/** The number of receives after which a message that only waits is replaced by a new one. A queue allows 1,000 at most. */
const receivesBeforeRenewal = 500;

/** Handles one message. Never throws: if anything fails, the message stays in the queue. */
export async function handleMessage(
  deps: HandlerDeps,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Handled> {
  let message: QueueMessage | undefined;
  try {
    message = JSON.parse(delivery.body) as QueueMessage;
    return message.kind === 'charge'
      ? await handleCharge(deps, message.charge)
      : await handleRun(deps, message.agentId, delivery, window);
  } catch (error) {
    deps.log.error('message failed', { ...nameMessage(message), ...describeError(error) });
    await comeBackSoon(deps, delivery);
    return 'again';
  }
}

const nameMessage = (message: QueueMessage | undefined): LogFields =>
  message?.kind === 'charge' ? { charge: message.charge?.id } : { agentId: message?.agentId };

const retrySeconds = 2;
const maxRetrySeconds = 60;

/** Makes the message visible again soon, since the queue's own visibility timeout is far too long after a short failure. */
async function comeBackSoon(deps: WorkerDeps, delivery: Delivery): Promise<void> {
  const seconds = Math.min(retrySeconds * delivery.receiveCount, maxRetrySeconds);
  await delivery.hideFor(seconds).catch((error: unknown) => {
    deps.log.warn('message could not be hidden', describeError(error));
  });
}

async function handleCharge(deps: WorkerDeps, charge: Charge): Promise<Handled> {
  await applyCharge(deps, charge);
  return 'done';
}

async function handleRun(
  deps: HandlerDeps,
  agentId: string,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Handled> {
  // Hiding comes before the claim. If the worker dies right after its claim, the message stays hidden no longer than
  // the lease.
  await delivery.hideFor(leaseSeconds(deps));
  const run = deps.activeRunsPerAccount > 0 ? await readRun(deps, agentId) : undefined;
  if (run && !(await becomeActive(deps, run))) return 'done';
  const handled = await workInTurn(deps, agentId, delivery, window);
  if (run && handled === 'done' && (await isOver(deps, agentId))) await makeRoom(deps, run);
  return handled;
}

async function isOver(deps: HandlerDeps, agentId: string): Promise<boolean> {
  const run = await readRun(deps, agentId);
  return !run || isFinished(run.status);
}

async function workInTurn(
  deps: HandlerDeps,
  agentId: string,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Handled> {
  const place = await takePlace(deps, agentId, delivery, window);
  try {
    return await handleClaim(deps, place, delivery, window);
  } finally {
    place.leave();
  }
}

async function handleClaim(
  deps: WorkerDeps,
  place: Place,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Handled> {
  const { claim } = place;
  switch (claim.kind) {
    case 'stopping':
    case 'suspect':
      await delivery.hideFor(0);
      return 'again';
    case 'over':
      return 'done';
    case 'held':
      return waitForLease(deps, claim, delivery);
    case 'poisoned':
      if (await endPoisoned(deps, claim.run)) return 'done';
      await comeBackSoon(deps, delivery);
      return 'again';
    case 'claimed':
      return work(deps, claim, place, delivery, window);
  }
}

const leaseSeconds = (deps: WorkerDeps) => Math.ceil(deps.leaseMilliseconds / 1000);

/**
 * Hides the message until the lease has run out. If the lease's holder has died by then, this worker takes the run
 * over.
 */
async function waitForLease(
  deps: WorkerDeps,
  { run, untilMilliseconds }: { run: RunRecord; untilMilliseconds: number },
  delivery: Delivery,
): Promise<Handled> {
  const milliseconds = Math.max(0, untilMilliseconds - deps.clock()) + 1_000;
  return comeBackAfter(deps, run, delivery, milliseconds);
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

/** Leaves the message in the queue for a run that only waits, where the run takes no worker's place. */
async function comeBackAfter(
  deps: WorkerDeps,
  run: RunRecord,
  delivery: Delivery,
  milliseconds: number,
): Promise<Handled> {
  if (delivery.receiveCount >= receivesBeforeRenewal) {
    await sendRun(deps, run);
    return 'done';
  }
  await delivery.hideFor(Math.ceil(milliseconds / 1000));
  return 'again';
}

async function work(
  deps: WorkerDeps,
  held: Held,
  place: Place,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Handled> {
  const { agentId } = held.run;
  const log = deps.log.with({ agentId, accountId: held.run.payer.accountId });
  const abort = new AbortController();
  const onAbandon = () => abort.abort(new Stopped('hand-over'));
  window.abandon.addEventListener('abort', onAbandon, { once: true });
  if (window.abandon.aborted) onAbandon();
  const keepMessage = () => delivery.hideFor(leaseSeconds(deps));
  const stopHeartbeat = startHeartbeat(deps, { agentId, token: held.token, keepMessage }, abort);
  deps.signals.send(agentId, 'progress');
  try {
    log.info('run claimed', { deaths: held.run.deaths, lastEventId: held.run.lastEventId });
    await place.noteCompany();
    const pause = () => place.afterCommit() || window.stopping();
    const drive = await driveRun({ ...deps, log }, held, abort, pause);
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
    await comeBackSoon(deps, delivery);
    return 'again';
  } finally {
    void stopHeartbeat();
    window.abandon.removeEventListener('abort', onAbandon);
  }
}

/** Gives the run back and sends its next message. The worker that receives it goes on from the last commit. */
async function handOver(deps: WorkerDeps, { run, token }: Held): Promise<Handled> {
  await releaseLease(deps, run.agentId, token, { died: false });
  await sendRun(deps, run);
  return 'done';
}
