/** A part of the service that runs in this process. */
export interface Part {
  /** Ends cleanly. */
  stop(): Promise<void>;
}
