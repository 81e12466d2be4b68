import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request whose whole body has come. */
export interface Received {
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** The bytes as UTF-8. */
  body: string;
}

export type Reply = (received: Received, response: ServerResponse) => unknown;

export interface LocalServer {
  /** Such as http://127.0.0.1:40123, without a slash at its end. */
  url: string;
  /** The URL's host with its port. */
  host: string;
  /** Connections opened so far. */
  connections(): number;
  /** Refuses connections until the returned function has been called. */
  goAway(): Promise<() => Promise<void>>;
  /** Cuts the requests that are still open. */
  close(): Promise<void>;
}

/** An HTTP server on a free port of this machine. A reply that throws is an unhandled rejection, which fails a test. */
export async function serve(reply: Reply): Promise<LocalServer> {
  let connections = 0;
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const bytes = await buffer(request).catch(() => undefined);
    if (!bytes) return;
    const { url: path = '', headers } = request;
    await reply({ path, headers, bytes, body: bytes.toString('utf8') }, response);
  }).on('connection', () => connections++);
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    connections: () => connections,
    async goAway() {
      await close();
      return () => listen(port);
    },
    close,
  };
}

/** A port that nobody listens on, for another process. */
export async function freePort(): Promise<number> {
  const { url, close } = await serve(() => {});
  await close();
  return Number(new URL(url).port);
}

export function sendText(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  sendText(response, status, JSON.stringify(body));

export interface RecordingServer extends LocalServer {
  received: Received[];
}

/** A server that keeps every request it was sent. */
export async function serveAndRecord(reply: Reply): Promise<RecordingServer> {
  const received: Received[] = [];
  const server = await serve((request, response) => {
    received.push(request);
    return reply(request, response);
  });
  return { ...server, received };
}
