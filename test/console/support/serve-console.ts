import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ConsoleServer {
  url: string;
  /** Breaks every connection, as a lost network does. */
  cut(): void;
  /** The requests to the service so far, as `GET /v1/models`. */
  requests: string[];
  close(): Promise<void>;
}

/** Stands between a browser and the service, and passes on what both say. */
export async function serveConsole(baseUrl: string): Promise<ConsoleServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    pass(baseUrl, incoming, outgoing, sockets);
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
