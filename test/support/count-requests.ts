import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** Counts the requests that this process has sent to the endpoint so far. */
export function countRequests(endpoint: string): () => number {
  const { port } = new URL(endpoint);
  let count = 0;
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: ClientRequest };
    if (String(request.getHeader('host')).endsWith(`:${port}`)) count++;
  });
  return () => count;
}
