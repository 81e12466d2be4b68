import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A public address, so that the guard lets requests go there. */
export const publicSite = 'http://93.184.216.34';

/** The environment of a function's process in which `publicSite` is a server on this machine. */
export const publicSiteAt = (port: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}`,
  TEST_PUBLIC_SITE_PORT: String(port),
});

const port = process.env.TEST_PUBLIC_SITE_PORT;

if (port !== undefined) {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const [options] = given.flat() as { host?: string; port?: number }[];
    if (options?.host === new URL(publicSite).hostname) Object.assign(options, { host: '127.0.0.1', port });
    return Reflect.apply(connect, this, given);
  } as typeof connect;
}
