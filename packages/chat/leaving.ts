import { type Clock, type Deadline, type HttpEnv, limits, startTimer } from '@errand/platform';
import type { Context } from 'hono';

/** The abort reason when the caller has closed the connection. */
export class CallerLeft extends Error {}

/** What becomes of the work when its caller leaves. */
export interface Leaving {
  /** The caller has left. Aborts the work with `CallerLeft`, at once or after `limits.usageAfterLeavingMilliseconds`. */
  leave(): void;
  /**
   * From this call on, the work goes on for a while after its caller has left, if `isAwaited` is true by then.
   * Returns the function that ends this grace period.
   */
  goOn(isAwaited: () => boolean): () => void;
  /** Whether the work went on after its caller had left. */
  wentOn(): boolean;
}

export function createLeaving(deps: { clock: Clock }, { abort }: Pick<Deadline, 'abort'>): Leaving {
  let hasLeft = false;
  let isAwaited = () => false;
  let stopTimer: (() => void) | undefined;
  const end = () => abort(new CallerLeft());
  return {
    leave() {
      if (hasLeft) return;
      hasLeft = true;
      if (isAwaited()) stopTimer = startTimer(deps, limits.usageAfterLeavingMilliseconds, end);
      else end();
    },
    goOn(awaits) {
      isAwaited = awaits;
      return () => {
        isAwaited = () => false;
        stopTimer?.();
      };
    },
    wentOn: () => stopTimer !== undefined,
  };
}

/** Calls back when the caller's connection closes early. Lambda does not report an early close. */
export function watchLeaving<E extends HttpEnv>(c: Context<E>, { leave }: Pick<Leaving, 'leave'>): void {
  const outgoing = c.env?.outgoing;
  if (!outgoing) return;
  const onClose = () => {
    if (!outgoing.writableFinished) leave();
  };
  if (outgoing.destroyed) onClose();
  else outgoing.once('close', onClose);
}
