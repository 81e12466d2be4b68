import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Received {
  path: string;
  body: string;
  headers: IncomingMessage['headers'];
}

export interface FakeServer {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

export type Reply = (request: Received, response: ServerResponse) => void;

/** An HTTP server on a free port that records the requests it receives. */
export async function serve(reply: Reply): Promise<FakeServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray().catch(() => []);
    const seen = {
      path: request.url ?? '',
      body: Buffer.concat(chunks).toString('utf8'),
      headers: request.headers,
    };
    received.push(seen);
    reply(seen, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, JSON.stringify(body));
}

export function sendText(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body);
}
