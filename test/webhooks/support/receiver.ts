import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/eventually.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  /** As `FETCH_ALLOWED_HOSTS` names it. */
  host: string;
  received: Received[];
  /** How it answers from now on; with a 200 at first. */
  answer(how: Answering): void;
  /** Resolves when it has received so many in all. */
  has(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A status, or what a test does with the answer itself. */
type Answering = number | ((response: ServerResponse, received: Received) => void);

/** A receiver of webhooks that answers as a test says. */
export async function startReceiver({ secure = false } = {}): Promise<Receiver> {
  let answering: Answering = 200;
  const received: Received[] = [];
  const listen: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const one = { path: request.url ?? '', headers: request.headers, body };
    received.push(one);
    if (typeof answering === 'number') response.writeHead(answering).end(`answered ${answering}`);
    else answering(response, one);
  };
  const server = secure ? createSecureServer(certificate(), listen) : createServer(listen);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    received,
    answer(how) {
      answering = how;
    },
    async has(count) {
      await eventually(() => received.length).toBeGreaterThanOrEqual(count);
      return received;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../support/tls/secure.test.${name}.pem`, import.meta.url));

/** For the name `secure.test`. */
const certificate = () => ({ key: fixture('key'), cert: fixture('cert') });

export const wordOf = ({ body }: Received) =>
  JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> };
