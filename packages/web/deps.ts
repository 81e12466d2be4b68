import type { LookupFunction } from 'node:net';

export interface WebDeps {
  /** Hosts that may be reached whatever their address, as `host:port` in lower case. Local mode only. */
  allowedHosts: ReadonlySet<string>;
  /** Turns a name into addresses. It is `dns.lookup` unless given. */
  lookup?: LookupFunction;
}
