import type { WorkWindow } from './delivery.ts';
import type { HeldLock } from './run-lock.ts';

/** Whether a run is to be handed on to another worker. Once it is, it stays so. */
export interface HandingOn {
  /** Asked before a call that acts is said to begin: the run is not handed on until that call is answered. */
  now(): boolean;
  /** Asked after each commit, because stopping there loses no work and repeats none. */
  afterCommit(): boolean;
}

export function handingOn(
  lock: Pick<HeldLock, 'isAwaited' | 'afterCommit'>,
  window: Pick<WorkWindow, 'stopping' | 'isLeftAlone'>,
): HandingOn {
  let isDue = false;
  return {
    now() {
      isDue ||= lock.isAwaited() || window.stopping();
      return isDue;
    },
    afterCommit() {
      isDue ||= lock.afterCommit() || window.stopping() || window.isLeftAlone?.() === true;
      return isDue;
    },
  };
}
