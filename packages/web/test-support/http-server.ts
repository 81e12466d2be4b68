import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type LocalServer, listen } from '../../../test/support/local-server.ts';

export interface ScriptedServer extends LocalServer {
  /** Every request that arrived, in order. */
  requests: IncomingMessage[];
  /** `allowedHosts` with only this server. */
  allowed: ReadonlySet<string>;
}

/** A real server on the loopback that answers with `listener`. Disposing of it cuts the requests that are still open. */
export async function startServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  address?: string,
): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = [];
  const server = await listen(
    (request, response) => {
      requests.push(request);
      listener(request, response);
    },
    { address },
  );
  return { ...server, requests, allowed: new Set([server.host]) };
}

/** Answers every request with this body. */
export function answerWith(contentType: string, body: string | Uint8Array): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  };
}
