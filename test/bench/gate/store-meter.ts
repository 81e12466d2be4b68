import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** What a process has sent to one host so far. */
export interface Sent {
  requests: number;
  /** Requests that have had their answer's head. */
  answered: number;
  /** Bytes of those, with heads. */
  bytes: number;
}

/** Loaded into the service's process before its own code: it answers every message with what was sent to each host so far. */
const hosts: Record<string, Sent> = {};
const written = new WeakMap<Socket, number>();
const sentTo = (request: ClientRequest): Sent =>
  (hosts[String(request.getHeader('host'))] ??= { requests: 0, answered: 0, bytes: 0 });

subscribe('http.client.request.start', (message) => {
  sentTo((message as { request: ClientRequest }).request).requests++;
});
subscribe('http.client.response.finish', (message) => {
  const { request } = message as { request: ClientRequest };
  const sent = sentTo(request);
  sent.answered++;
  if (!request.socket) return;
  const { bytesWritten } = request.socket;
  sent.bytes += bytesWritten - (written.get(request.socket) ?? 0);
  written.set(request.socket, bytesWritten);
});

if (isMainThread) {
  process.on('message', () => process.send?.(hosts));
  process.channel?.unref();
}
