import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Answered {
  status?: number;
  headers?: Record<string, string>;
  /** A text as it is, anything else as JSON. */
  body?: unknown;
}

interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Host {
  origin: string;
  asked: Asked[];
  /** Sets the answers of the next requests, one each. The last one is the answer to all that follow. */
  answer(...answers: Answered[]): void;
  close(): void;
}

/** A host that takes requests of any kind. */
export async function startHost(): Promise<Host> {
  const asked: Asked[] = [];
  let answers: Answered[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers, text: await text(request) });
    const { status = 200, headers = {}, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'Content-Type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer(...given) {
      answers = given;
      asked.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
