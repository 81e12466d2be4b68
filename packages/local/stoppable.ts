/** A part of the service that runs in this process. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** A part that works for callers: its `stop` waits for what is in flight. */
export interface Front extends Stoppable {
  /** How much is in flight. */
  inFlight(): number;
  /** Makes a `stop` that has begun end at once, as far as that loses nothing. */
  force(): void;
}
