import type { Clock, Log } from '@errand/platform';

export interface UpstreamDeps {
  clock: Clock;
  log: Log;
  /** Tests replace this to skip the waiting. */
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}
