/** A part of the service that runs in this process. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** A part that works for callers: its `stop` waits for what is under way. */
export interface Front extends Stoppable {
  /** How much is under way. */
  underWay(): number;
  /** Makes a `stop` that has begun end at once, as far as that loses nothing. */
  hurry(): void;
}
