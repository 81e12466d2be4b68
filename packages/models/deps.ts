import type { AnswerTime, Clock, Log } from '@errand/platform';
import type { Hidden } from './refusal/clean-words.ts';

export interface UpstreamDeps extends AnswerTime {
  clock: Clock;
  log: Log;
  /** Secrets and hosts that are removed from an upstream's words, besides those of the model that was asked. */
  hidden?: Hidden;
}
