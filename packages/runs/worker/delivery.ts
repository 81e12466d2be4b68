import { describeError } from '@errand/platform';
import type { LeaseDeps } from '../lease.ts';
import { sendRun } from '../queue.ts';
import type { RunRecord } from '../run.ts';
import type { WorkerDeps } from './deps.ts';

/** A message of the queue, with the operations on it. */
export interface Delivery {
  body: string;
  receiveCount: number;
  /** It tells of the end of a sub-run: the run has a message of its own beside it. */
  isWake?: boolean;
  /** Hides the message for this long from now on. */
  hideFor(seconds: number): Promise<void>;
}

/** When to stop. Work stops between two commits once `stopping` says so, and at once when `abandon` aborts. */
export interface WorkWindow {
  stopping(): boolean;
  abandon: AbortSignal;
  /** Whether the run is the last that is left of several, and none will join it: after its next commit it moves to a process with others. */
  isLeftAlone?(): boolean;
}

/** The window of a process that works on several runs and ends soon. */
export interface TakingWindow extends WorkWindow {
  /** Whether there is time enough for a run to begin. */
  takes(): boolean;
}

/** `done`: the message may be deleted. `again`: the message stays in the queue and comes back when it is visible again. */
export type Handled = 'done' | 'again';

/** The number of receives after which a message that only waits is replaced by a new one. A queue allows 1,000 at most. */
const receivesBeforeRenewal = 500;

const retrySeconds = 2;
const maxRetrySeconds = 60;

/** Hides the message for as long as a lease lasts. */
export const hideForLease = ({ leaseMilliseconds }: LeaseDeps, delivery: Delivery): Promise<void> =>
  delivery.hideFor(Math.ceil(leaseMilliseconds / 1000));

/** Makes the message visible again soon, since the queue's own visibility timeout is far too long after a short failure. */
export async function comeBackSoon(deps: WorkerDeps, delivery: Delivery): Promise<Handled> {
  const seconds = Math.min(retrySeconds * delivery.receiveCount, maxRetrySeconds);
  await delivery.hideFor(seconds).catch((error: unknown) => {
    deps.log.warn('message could not be hidden', describeError(error));
  });
  return 'again';
}

/** How often a message that wakes a run comes back for a run in whose worker's hands it may come too early. */
const wakeTries = 5;
const wakeAgainSeconds = 1;

/** Leaves the message in the queue for a run that only waits, where the run takes no worker's place. */
export async function comeBackAfter(
  deps: WorkerDeps,
  run: RunRecord,
  delivery: Delivery,
  milliseconds: number,
): Promise<Handled> {
  if (delivery.isWake) {
    if (run.leaseToken === undefined || delivery.receiveCount >= wakeTries) return 'done';
    await delivery.hideFor(wakeAgainSeconds);
    return 'again';
  }
  if (delivery.receiveCount >= receivesBeforeRenewal) {
    await sendRun(deps, run);
    return 'done';
  }
  await delivery.hideFor(Math.ceil(milliseconds / 1000));
  return 'again';
}
