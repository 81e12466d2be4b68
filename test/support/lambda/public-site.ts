import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A public address, so that the guard lets requests go there. */
export const publicSite = 'http://93.184.216.34';

/** The same by a name of which the tests have a certificate. */
export const secureSite = 'https://secure.test';

/** The environment of a function's process in which these sites are a server on this machine. */
export const publicSiteAt = (port: number): Record<string, string> => ({
  NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../tls/secure.test.cert.pem', import.meta.url)),
  NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}`,
  TEST_PUBLIC_SITE_PORT: String(port),
});

const port = process.env.TEST_PUBLIC_SITE_PORT;

if (port !== undefined) {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const [options] = given.flat() as { host?: string; port?: number }[];
    const sites = [publicSite, secureSite].map((site) => new URL(site).hostname);
    if (sites.includes(options?.host ?? '')) Object.assign(options!, { host: '127.0.0.1', port });
    return Reflect.apply(connect, this, given);
  } as typeof connect;
}
