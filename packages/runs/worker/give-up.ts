import { applyCharge } from '@errand/money';
import { describeError } from '@errand/platform';
import { makeRoom } from '../active-runs.ts';
import type { RunsDeps } from '../deps.ts';
import { endPoisoned } from '../end-run.ts';
import { isHeld } from '../lease.ts';
import { isFinished } from '../lifecycle.ts';
import { type QueueMessage, sendRun } from '../queue.ts';
import { readRun } from '../store.ts';
import { afterEnd } from '../sub-runs/after-end.ts';
import type { Handled } from './delivery.ts';

/**
 * Handles a message that the queue gave up on. A run that no worker holds ends `failed`, a run that a worker holds
 * gets its message back, and a charge is tried once more.
 */
export async function giveUp(deps: RunsDeps, body: string): Promise<Handled> {
  try {
    const message = JSON.parse(body) as QueueMessage;
    if (message.kind === 'charge') {
      await applyCharge(deps, message.charge);
      return 'done';
    }
    // The run has a message of its own.
    if (message.isWake) return 'done';
    const run = await readRun(deps, message.agentId);
    if (!run) return 'done';
    if (!isFinished(run.status)) {
      if (isHeld(run, deps.clock())) {
        await sendRun(deps, run);
        return 'done';
      }
      if (!(await endPoisoned(deps, run))) return 'again';
      await makeRoom(deps, run);
      await afterEnd(deps, run);
    }
    // A worker finds the run finished, and sends its spans. This process may have died before it sent the message.
    if (deps.spans) await sendRun(deps, run);
    return 'done';
  } catch (error) {
    deps.log.error('dead letter failed', describeError(error));
    return 'again';
  }
}
