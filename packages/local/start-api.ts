import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readManifest } from '@errand/pages';
import { createStoppableServer } from '@errand/platform';
import { createWholeApp, type ServiceDeps, whenCharged } from '@errand/service';
import { refuseForeignHosts } from './refuse-foreign-hosts.ts';
import { announce } from './service-file.ts';
import { StartError } from './start-error.ts';
import type { Front } from './stoppable.ts';

/** What scripts/build-local.ts made. */
const pagesFolder = path.resolve(import.meta.dirname, '../../dist/pages');

/**
 * Serves the API and says in service.json where, and which file has its models. Throws `StartError` if it cannot listen.
 */
export async function startApi(
  parts: ServiceDeps,
  modelCatalogue?: string,
): Promise<Front & { baseUrl: string; pages: ReadonlySet<string> }> {
  const { config } = parts;
  const draining = new AbortController();
  const app = createWholeApp(parts, { draining: draining.signal, pagesFolder });
  const refuse = refuseForeignHosts(config);
  const { server, stop, inFlight, force } = createStoppableServer(
    (request, env) => refuse(request) ?? app.fetch(request, env),
    parts.log,
  );
  await listen(server, config.port, config.host);
  if ((await app.request('/healthz')).status !== 200) {
    await stop();
    throw new StartError(`The store of ${config.dataDir} does not answer. Start again once it runs.`);
  }
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://${urlHost(config.host)}:${port}`;
  const withdraw = await announce(config.dataDir, {
    baseUrl,
    ...(modelCatalogue !== undefined && { modelCatalogue: path.resolve(modelCatalogue) }),
  });
  return {
    baseUrl,
    pages: new Set((await readManifest(pagesFolder)).keys()),
    inFlight,
    force,
    async stop() {
      await withdraw();
      draining.abort();
      await stop();
      await whenCharged(parts);
    },
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is already in use. Set PORT to another one, or to 0 for any free one.`,
        EACCES: `Port ${port} on ${host} may not be used by this user. Set PORT to another one.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to another one.`,
      };
      reject(
        new StartError(
          reasons[error.code ?? ''] ?? `The API cannot listen on ${host}:${port} (${error.code}).`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}
