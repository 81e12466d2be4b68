import type { LookupFunction } from 'node:net';
import type { FetchMeter } from './fetch-meter.ts';

export interface WebDeps {
  /** Hosts that may be reached at any address, as `host:port` in lower case. Local mode only. */
  allowedHosts: ReadonlySet<string>;
  /** Resolves a name to addresses; `dns.lookup` if absent. */
  lookup?: LookupFunction;
  /** Bounds what is fetched with these deps, if present. */
  meter?: FetchMeter;
  /** The account that takes its turn at the threads. */
  owner?: string;
}
