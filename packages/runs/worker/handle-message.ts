import { applyCharge } from '@errand/money';
import { describeError, type LogFields } from '@errand/platform';
import { becomeActive, makeRoom } from '../active-runs.ts';
import { isFinished } from '../lifecycle.ts';
import type { QueueMessage } from '../queue.ts';
import { readRun } from '../store.ts';
import { lookAtSubRuns } from '../sub-runs/wait-for-sub-runs.ts';
import { comeBackSoon, type Delivery, type Handled, hideForLease, type WorkWindow } from './delivery.ts';
import type { HandlerDeps } from './deps.ts';
import { traceRun } from './trace-run.ts';
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
    if (message.kind === 'charge') {
      await applyCharge(deps, message.charge);
      return 'done';
    }
    const { agentId } = message;
    // Hiding comes before the claim. If the worker dies right after its claim, the message stays hidden no longer than
    // the lease.
    await hideForLease(deps, delivery);
    const run = deps.activeRunsPerAccount > 0 ? await readRun(deps, agentId) : undefined;
    const seen = run && (await lookAtSubRuns(deps, run));
    if (run && !(await becomeActive(deps, run, seen))) return 'done';
    const handled = await workOnRun(deps, agentId, { ...delivery, isWake: message.isWake, seen }, window);
    if (run && handled === 'done' && (await isOver(deps, agentId))) await makeRoom(deps, run);
    if (deps.spans && handled === 'done') await traceRun(deps, deps.spans, agentId);
    return handled;
  } catch (error) {
    deps.log.error('message failed', { ...nameMessage(message), ...describeError(error) });
    return comeBackSoon(deps, delivery);
  }
}

const nameMessage = (message: QueueMessage | undefined): LogFields =>
  message?.kind === 'charge' ? { charge: message.charge?.id } : { agentId: message?.agentId };

async function isOver(deps: HandlerDeps, agentId: string): Promise<boolean> {
  const run = await readRun(deps, agentId);
  return !run || isFinished(run.status);
}
