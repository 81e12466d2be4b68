import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { consolePolicy } from '../../../packages/pages/policies.ts';

export interface ConsoleServer {
  url: string;
  /** Breaks every connection, as a lost network does. */
  cut(): void;
  /** The requests to the service so far, as `GET /v1/models`. */
  requests: string[];
  close(): Promise<void>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the built console from one origin with the service that it talks to. */
export async function serveConsole(
  folder: string,
  service: { baseUrl: string; bucket: string },
): Promise<ConsoleServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const place = new URL(incoming.url ?? '/', 'http://console').pathname;
    if (/^\/console(\/|$)/.test(place))
      return sendFile(folder, place, consolePolicy(service.bucket), outgoing);
    requests.push(`${incoming.method} ${incoming.url}`);
    pass(service.baseUrl, incoming, outgoing, sockets);
  });
  server.on('connection', (socket: Socket) => keep(sockets, socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console`,
    cut,
    requests,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => sockets.delete(socket));
}

async function sendFile(
  folder: string,
  place: string,
  policy: string,
  outgoing: ServerResponse,
): Promise<void> {
  const name = place.replace(/^\/console\/?/, '') || 'index.html';
  const bytes = await readFile(path.join(folder, name)).catch(() => undefined);
  if (!bytes) return void outgoing.writeHead(404).end();
  outgoing.writeHead(200, {
    'Content-Type': types[path.extname(name)] ?? 'text/plain',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  outgoing.end(bytes);
}

function pass(
  baseUrl: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sockets: Set<Socket>,
): void {
  const { method, headers, url = '/' } = incoming;
  const forward = request(new URL(url, baseUrl), { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  forward.on('socket', (socket) => keep(sockets, socket));
  forward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => forward.destroy());
  incoming.pipe(forward);
}
