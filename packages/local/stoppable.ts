/** A part of the service that runs in this process. */
export interface Stoppable {
  stop(): Promise<void>;
}
