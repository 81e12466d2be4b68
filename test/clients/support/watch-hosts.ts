import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** Notes the hosts that this process asks over HTTP, until it is stopped. */
export function watchHosts(): { hosts: ReadonlySet<string>; stop(): void } {
  const hosts = new Set<string>();
  const onFetch = (message: unknown) => {
    const { origin } = (message as { request: { origin: string } }).request;
    hosts.add(new URL(origin).hostname);
  };
  const onRequest = (message: unknown) =>
    void hosts.add((message as { request: ClientRequest }).request.host);
  subscribe('undici:request:create', onFetch);
  subscribe('http.client.request.start', onRequest);
  return {
    hosts,
    stop() {
      unsubscribe('undici:request:create', onFetch);
      unsubscribe('http.client.request.start', onRequest);
    },
  };
}
