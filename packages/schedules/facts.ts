import type { Settled } from './settle.ts';
import type { Fired } from './what-became.ts';

/** What a process has found out about a schedule, to be noted. */
export interface Facts {
  fired?: Fired;
  settled: Settled[];
  /** The instant waits for the run before. */
  waits: boolean;
  stopped?: 'key_revoked' | 'key_expired' | undefined;
  /** Runs whose end could not be found out, or told. */
  unsettled: string[];
  /** The start failed, and is to be tried again. */
  failed: boolean;
}
