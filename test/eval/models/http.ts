import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  /** Such as http://127.0.0.1:40123, without a slash at its end. */
  origin: string;
  /** The origin's host with its port. */
  host: string;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server on a free port of this machine. An answer that throws is a 500 with its message. */
export async function serve(answer: Answer): Promise<LocalServer> {
  const server = createServer(async (request, response) => {
    try {
      await answer(request, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${host}`,
    host,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const readBody = async (request: IncomingMessage): Promise<Buffer> =>
  Buffer.concat((await request.toArray()) as Buffer[]);

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}
