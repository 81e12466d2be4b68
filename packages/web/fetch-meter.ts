import { limits } from '@errand/platform';
import { FetchError } from './failure.ts';

/** What was fetched so far: bytes over the wire, and the names of the hosts that were asked. */
export interface Fetched {
  bytes: number;
  hosts: readonly string[];
}

/** Counts and bounds what one run fetches. */
export interface FetchMeter {
  /** Counts a request to a host, redirects too. Throws `FetchError` if the run may not send it. */
  enter(hostname: string): void;
  /** Counts bytes that arrived. Throws `FetchError` past the bound. */
  take(bytes: number): void;
  fetched(): Fetched;
  /** Goes on from an earlier count. */
  resume(from: Fetched): void;
}

export function createFetchMeter(): FetchMeter {
  let bytes = 0;
  let hosts: ReadonlySet<string> = new Set();
  const checkBytes = (most: number) => {
    if (bytes > most) throw overBudget(`${limits.fetchedBytesPerRun / 1_000_000} MB`);
  };
  return {
    enter(hostname) {
      checkBytes(limits.fetchedBytesPerRun - 1);
      if (hosts.has(hostname)) return;
      if (hosts.size >= limits.fetchedHostsPerRun) throw overBudget(`${limits.fetchedHostsPerRun} hosts`);
      hosts = new Set([...hosts, hostname]);
    },
    take(arrived) {
      bytes += arrived;
      checkBytes(limits.fetchedBytesPerRun);
    },
    fetched: () => ({ bytes, hosts: [...hosts] }),
    resume(from) {
      ({ bytes } = from);
      hosts = new Set(from.hosts);
    },
  };
}

const overBudget = (most: string) =>
  new FetchError('over_budget', {
    reason: `this run has fetched from the web what one run may, ${most}; answer with what was read`,
  });
