import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileSite {
  port: number;
  url: string;
  /** The targets of all requests so far, with their hosts: `127.0.0.1/path?query`. */
  asked: string[];
  close(): void;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A site at every loopback address that notes what it is asked for. */
export async function startHostileSite(answer: Answer): Promise<HostileSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    answer(request, response);
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
