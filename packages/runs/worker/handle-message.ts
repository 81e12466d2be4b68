import { applyCharge, type Charge } from '@errand/money';
import { describeError, type LogFields } from '@errand/platform';
import { becomeActive, makeRoom } from '../active-runs.ts';
import { endPoisoned } from '../end-run.ts';
import { isFinished } from '../lifecycle.ts';
import type { QueueMessage } from '../queue.ts';
import type { RunRecord } from '../run.ts';
import { readRun } from '../store.ts';
import { claimInTurn } from './claim-in-turn.ts';
import {
  comeBackAfter,
  comeBackSoon,
  type Delivery,
  type Handled,
  hideForLease,
  type WorkWindow,
} from './delivery.ts';
import type { HandlerDeps, WorkerDeps } from './deps.ts';
import type { HeldLock } from './run-lock.ts';
import { workOnRun } from './work-on-run.ts';

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
    return comeBackSoon(deps, delivery);
  }
}

const nameMessage = (message: QueueMessage | undefined): LogFields =>
  message?.kind === 'charge' ? { charge: message.charge?.id } : { agentId: message?.agentId };

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
  await hideForLease(deps, delivery);
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
  const lock = await claimInTurn(deps, agentId, delivery, window);
  try {
    return await handleClaim(deps, lock, delivery, window);
  } finally {
    lock.release();
  }
}

async function handleClaim(
  deps: WorkerDeps,
  lock: HeldLock,
  delivery: Delivery,
  window: WorkWindow,
): Promise<Handled> {
  const { claim } = lock;
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
      return (await endPoisoned(deps, claim.run)) ? 'done' : comeBackSoon(deps, delivery);
    case 'claimed':
      return workOnRun(deps, { held: claim, lock, delivery, window });
  }
}

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
