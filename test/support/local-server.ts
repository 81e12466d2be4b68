import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
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

export interface LocalServer extends AsyncDisposable {
  /** Such as http://127.0.0.1:40123, without a slash at its end. */
  url: string;
  /** The URL's host with its port. */
  host: string;
  port: number;
  /** Connections opened so far. */
  connections(): number;
  /** Refuses connections until the returned function has been called. */
  goAway(): Promise<() => Promise<void>>;
  /** Cuts the requests that are still open. */
  close(): Promise<void>;
}

interface ServerOptions {
  /** An address of this machine, such as `::1`. */
  address?: string;
  /** Speaks HTTPS. `url` begins with `http:` all the same, for callers that go by another name. */
  tls?: { key: Buffer; cert: Buffer };
}

/** An HTTP server on a free port of this machine. */
export async function listen(
  listener: RequestListener,
  { address = '127.0.0.1', tls }: ServerOptions = {},
): Promise<LocalServer> {
  let connections = 0;
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.on('connection', () => connections++);
  const open = async (port: number) => {
    server.listen(port, address);
    await once(server, 'listening');
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await open(0);
  const { port } = server.address() as AddressInfo;
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  return {
    url: `http://${host}`,
    host,
    port,
    connections: () => connections,
    async goAway() {
      await close();
      return () => open(port);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A server that replies when a request has come whole. A reply that throws is an unhandled rejection, which fails a test. */
export const serve = (reply: Reply, options?: ServerOptions): Promise<LocalServer> =>
  listen(async (request, response) => {
    response.on('error', () => {});
    const bytes = await buffer(request).catch(() => undefined);
    if (!bytes) return;
    const { url: path = '', headers } = request;
    await reply({ path, headers, bytes, body: bytes.toString('utf8') }, response);
  }, options);

/** A port that nobody listens on, for another process. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(() => {});
  await close();
  return port;
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
export async function serveAndRecord(reply: Reply, options?: ServerOptions): Promise<RecordingServer> {
  const received: Received[] = [];
  const server = await serve((request, response) => {
    received.push(request);
    return reply(request, response);
  }, options);
  return { ...server, received };
}
