import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const fixture = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

/** A server with a self-signed certificate for `secure.test` that is valid for a hundred years. */
export async function startHttpsServer(body: string) {
  const [key, certificate] = await Promise.all([
    fixture('secure.test.key.pem'),
    fixture('secure.test.cert.pem'),
  ]);
  const server = createServer({ key, cert: certificate }, (_request, response) => response.end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    certificate,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
