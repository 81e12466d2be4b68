import type { Clock, Log } from '@errand/platform';
import type { Hidden } from './refusal/clean-words.ts';

export interface UpstreamDeps {
  clock: Clock;
  log: Log;
  /** What an upstream's words may not tell besides the keys and hosts of the model that was asked. */
  hidden?: Hidden;
}
