import type { KeyEnd } from '@errand/platform';

/** Why a run is ended before it has its answer. */
export type EndReason = 'cancelled' | KeyEnd;

/** Why a worker stops before the run's end. The reason decides what becomes of the run. */
export type HaltReason =
  /** The invocation or the process is about to end. Another worker goes on with the run, and no death is counted. */
  | 'hand-over'
  /** Another worker holds the run now. This one writes nothing more. */
  | 'lease-lost'
  | EndReason;

export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly reason: HaltReason;

  constructor(reason: HaltReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The reason for which work was stopped, whatever error followed. Undefined if it was not stopped. */
export function haltReason(signal: AbortSignal): HaltReason | undefined {
  return signal.aborted && signal.reason instanceof Stopped ? signal.reason.reason : undefined;
}

/** Whether the run ends here, and no other worker goes on with it. */
export const isEnd = (reason: HaltReason | undefined): reason is EndReason =>
  reason !== undefined && reason !== 'hand-over' && reason !== 'lease-lost';
