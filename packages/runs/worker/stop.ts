/** Why work on a run stops before its end. The reason decides what becomes of the run. */
export type StopReason =
  /** The invocation's time or the process ends: the run goes on elsewhere, and no death is counted. */
  | 'hand-over'
  /** Somebody else holds the run now: leave everything as it is. */
  | 'lease-lost'
  | 'cancelled';

export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The reason for which work was stopped, whatever error the stop surfaced as. */
export function stopReason(signal: AbortSignal): StopReason | undefined {
  return signal.aborted && signal.reason instanceof Stopped ? signal.reason.reason : undefined;
}
