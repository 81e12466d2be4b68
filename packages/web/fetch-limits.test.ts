import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultFetchLimits } from './budget.ts';
import { guardedFetch } from './fetch.ts';
import { startDnsServer } from './test-support/dns-server.ts';
import { startServer } from './test-support/http-server.ts';
import { readAll } from './test-support/read-all.ts';
import { codeOf } from './test-support/sockets.ts';

const soon = 40;

afterEach(() => vi.useRealTimers());

describe('guardedFetch and time', () => {
  it('a name server that never answers is a timeout of the connection', async () => {
    await using dns = await startDnsServer({}, new Set(['slow.test']));
    const deps = { allowedHosts: new Set<string>(), lookup: dns.lookup };
    const limits = { connectMilliseconds: soon };
    expect(await codeOf(guardedFetch(deps, { url: 'http://slow.test/', limits }))).toBe('timeout');
  });

  it('a TLS handshake that is never answered is a timeout of the connection', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const deps = { allowedHosts: new Set([`127.0.0.1:${port}`]) };
    const limits = { connectMilliseconds: soon };
    expect(await codeOf(guardedFetch(deps, { url: `https://127.0.0.1:${port}/`, limits }))).toBe('timeout');
    server.close();
  });

  it('a server that accepts and says nothing is a timeout of the first byte', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    await using server = await startServer(() => resolve());
    const code = codeOf(guardedFetch({ allowedHosts: server.allowed }, { url: server.url }));
    await asked;
    vi.advanceTimersByTime(defaultFetchLimits.firstByteMilliseconds);
    expect(await code).toBe('timeout');
    expect(server.requests).toHaveLength(1);
  });

  it('a body may take all of the total time: the limits of connection and first byte end with the head', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>();
    await using server = await startServer(async (_request, response) => {
      response.write('start');
      await mayEnd;
      response.end(', end');
    });
    const response = await guardedFetch({ allowedHosts: server.allowed }, { url: server.url });
    vi.advanceTimersByTime(defaultFetchLimits.totalMilliseconds - 1);
    letEnd();
    expect(new TextDecoder().decode(await readAll(response))).toBe('start, end');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a body that stops coming is a timeout of the whole', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using server = await startServer((_request, response) => {
      response.write('start');
    });
    const response = await guardedFetch({ allowedHosts: server.allowed }, { url: server.url });
    const code = codeOf(readAll(response));
    vi.advanceTimersByTime(defaultFetchLimits.totalMilliseconds);
    expect(await code).toBe('timeout');
  });

  it('the time of the whole runs on over redirects', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
    });
    const limits = { totalMilliseconds: soon };
    const deps = { allowedHosts: server.allowed };
    expect(await codeOf(guardedFetch(deps, { url: server.url, limits }))).toBe('timeout');
  });

  it('a caller can stop it at any point', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/body') response.write('start');
      else controller.abort();
    });
    let controller = new AbortController();
    const deps = { allowedHosts: server.allowed };
    expect(await codeOf(guardedFetch(deps, { url: server.url, signal: AbortSignal.abort() }))).toBe(
      'aborted',
    );
    expect(server.requests).toHaveLength(0);
    expect(await codeOf(guardedFetch(deps, { url: server.url, signal: controller.signal }))).toBe('aborted');
    controller = new AbortController();
    const response = await guardedFetch(deps, { url: `${server.url}/body`, signal: controller.signal });
    controller.abort();
    expect(await codeOf(readAll(response))).toBe('aborted');
  });
});
