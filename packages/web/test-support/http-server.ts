import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedServer extends AsyncDisposable {
  port: number;
  origin: string;
  /** Every request that arrived, in order. */
  requests: IncomingMessage[];
  /** `allowedHosts` with only this server. */
  allowed: ReadonlySet<string>;
}

/** A real server on the loopback that answers with `listener`. Disposing of it cuts the requests that are still open. */
export async function startServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  host = '127.0.0.1',
): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(request);
    listener(request, response);
  };
  const server = createServer(answer);
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    port,
    origin: `http://${authority}`,
    requests,
    allowed: new Set([authority]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers every request with this body. */
export function answerWith(contentType: string, body: string | Uint8Array): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  };
}
