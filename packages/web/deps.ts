import type { LookupFunction } from 'node:net';

export interface WebDeps {
  /** `host:port` in lower case: hosts that may be reached whatever their address (local mode only). */
  allowedHosts: ReadonlySet<string>;
  /** Turns a name into addresses, as `dns.lookup` does (and which it is unless given). */
  lookup?: LookupFunction;
}
