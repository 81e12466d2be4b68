import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from './clock.ts';
import { type ExchangeDeps, handleExchange } from './handle-exchange.ts';
import type { BucketDefinition } from './store/bucket.ts';
import { openBuckets } from './store/buckets.ts';
import { holdFolder } from './store/hold-folder.ts';
import type { Credentials } from './wire/read-authorization.ts';

interface FileStoreOptions {
  /** Objects and uploads are kept in this folder. One process at a time may serve it. */
  folder: string;
  host: string;
  /** A free port is chosen if it is 0 or left out. */
  port?: number;
  /** Requests signed with other credentials are refused. */
  credentials: Credentials;
  /** Only these buckets are served. Missing ones are made. */
  buckets: readonly BucketDefinition[];
  clock?: Clock;
  /** Called with errors that no request caused. */
  onError?: (error: unknown) => void;
}

interface FileStore {
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts an S3 server over files, for SDK clients with `forcePathStyle`. Answered writes are on disk. If the process is
 * killed, no answered write is lost and no write is left half done.
 */
export async function startFileStore(options: FileStoreOptions): Promise<FileStore> {
  const { folder, host, port = 0, credentials, clock = Date.now, onError = () => undefined } = options;
  const release = holdFolder(folder);
  try {
    const buckets = await openBuckets({ folder, clock }, options.buckets);
    const server = await serve({ buckets, credentials, clock, onError }, host, port);
    return {
      endpoint: server.endpoint,
      async close() {
        await server.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function serve(deps: ExchangeDeps, host: string, port: number): Promise<FileStore> {
  const running = new Set<Promise<void>>();
  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    const exchange = handleExchange(deps, message, response);
    running.add(exchange);
    exchange.finally(() => running.delete(exchange));
  };
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 75_000 }, onRequest);
  server.on('checkContinue', onRequest);
  await listen(server, host, port);
  return {
    endpoint: endpointOf(server),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), closeGraceMilliseconds);
      await closed;
      clearTimeout(deadline);
      await Promise.all(running);
    },
  };
}

/** How long a close waits for transfers in flight. */
const closeGraceMilliseconds = 2_000;

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function endpointOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
