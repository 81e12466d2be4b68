import type { WorkWindow } from './delivery.ts';
import type { HeldLock } from './run-lock.ts';

/** Whether a run is to be handed on to another worker. Once it is, it stays so. */
export interface HandingOn {
  now(): boolean;
  /** Asked after each commit, because stopping there loses no work and repeats none. */
  afterCommit(): boolean;
}

export function handingOn(
  lock: Pick<HeldLock, 'afterCommit'>,
  window: Pick<WorkWindow, 'stopping' | 'isLeftAlone'>,
): HandingOn {
  let isDue = false;
  return {
    now() {
      isDue ||= window.stopping();
      return isDue;
    },
    afterCommit() {
      isDue ||= lock.afterCommit() || window.stopping() || window.isLeftAlone?.() === true;
      return isDue;
    },
  };
}
