import { describe, expect, it } from 'vitest';
import { FetchError } from './failure.ts';
import { type FetchInput, guardedFetch } from './fetch.ts';
import { startDnsServer } from './test-support/dns-server.ts';
import { startServer } from './test-support/http-server.ts';
import { readAll } from './test-support/read-all.ts';
import { codeOf, watchConnections } from './test-support/sockets.ts';

/** An address that passes the check but that nobody can reach: its part of 2000::/3 is not allocated. */
const unroutedPublicAddress = '2d00::1';

const hello = () =>
  startServer((_request, response) => {
    response.end('hello');
  });

async function textOf(deps: Parameters<typeof guardedFetch>[0], input: FetchInput): Promise<string> {
  return new TextDecoder().decode(await readAll(await guardedFetch(deps, input)));
}

describe('guardedFetch and addresses', () => {
  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:127.0.0.1'])(
    'a name whose address is %s is refused without a connection',
    async (address) => {
      await using dns = await startDnsServer({ 'inside.test': [[address]] });
      using watch = watchConnections();
      const deps = { allowedHosts: new Set<string>(), lookup: dns.lookup };
      expect(await codeOf(guardedFetch(deps, { url: 'http://inside.test/' }))).toBe('forbidden_address');
      expect(watch.attempts).toEqual([]);
    },
  );

  it('a trailing dot does not open a private name', async () => {
    await using dns = await startDnsServer({ 'inside.test': [['127.0.0.1']] });
    const deps = { allowedHosts: new Set<string>(), lookup: dns.lookup };
    expect(await codeOf(guardedFetch(deps, { url: 'http://inside.test./' }))).toBe('forbidden_address');
  });

  it('one private address among public ones refuses the name', async () => {
    await using dns = await startDnsServer({ 'mixed.test': [['2606:4700::1111', '127.0.0.1']] });
    using watch = watchConnections();
    const deps = { allowedHosts: new Set<string>(), lookup: dns.lookup };
    expect(await codeOf(guardedFetch(deps, { url: 'http://mixed.test/' }))).toBe('forbidden_address');
    expect(watch.attempts).toEqual([]);
  });

  it('a name that changes to a private address after the check is still connected to the address checked', async () => {
    await using server = await hello();
    await using dns = await startDnsServer({ 'rebind.test': [[unroutedPublicAddress], ['127.0.0.1']] });
    using watch = watchConnections();
    const deps = { allowedHosts: new Set<string>(), lookup: dns.lookup };
    const url = `http://rebind.test:${server.port}/`;
    // The time ends while it connects: it has no other end where packets to the address are dropped.
    const limits = { connectMilliseconds: 5_000 };
    expect(['connection', 'timeout']).toContain(await codeOf(guardedFetch(deps, { url, limits })));
    expect(watch.attempts).toEqual([unroutedPublicAddress]);
    expect(dns.asked.get('AAAA rebind.test')).toBe(1);

    expect(await codeOf(guardedFetch(deps, { url }))).toBe('forbidden_address');
    expect(watch.attempts).toEqual([unroutedPublicAddress]);
    expect(server.requests).toHaveLength(0);
  });

  it('a redirect back to the same name is resolved and judged again', async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
    });
    await using dns = await startDnsServer({ 'rebind.test': [['127.0.0.1'], ['127.0.0.2']] });
    using watch = watchConnections();
    const deps = { allowedHosts: new Set([`rebind.test:${server.port}`]), lookup: dns.lookup };
    expect(await codeOf(guardedFetch(deps, { url: `http://rebind.test:${server.port}/` }))).toBe(
      'connection',
    );
    expect(watch.attempts).toEqual(['127.0.0.1', '127.0.0.2']);
  });

  it('an allowed host may be private, on its port alone', async () => {
    await using server = await hello();
    await using dns = await startDnsServer({ 'files.test': [['127.0.0.1']] });
    const deps = { allowedHosts: new Set([`files.test:${server.port}`]), lookup: dns.lookup };
    expect(await textOf(deps, { url: `http://FILES.test:${server.port}/` })).toBe('hello');
    expect(await codeOf(guardedFetch(deps, { url: `http://files.test:${server.port + 1}/` }))).toBe(
      'forbidden_address',
    );
    expect(await codeOf(guardedFetch(deps, { url: 'http://files.test/' }))).toBe('forbidden_address');
  });

  it('a URL without a port matches an allowed host on the port of the scheme', async () => {
    await using dns = await startDnsServer({ 'files.test': [['127.0.0.1']] });
    using watch = watchConnections();
    const deps = { allowedHosts: new Set(['files.test:443']), lookup: dns.lookup };
    expect(await codeOf(guardedFetch(deps, { url: 'http://files.test/' }))).toBe('forbidden_address');
    expect(await codeOf(guardedFetch(deps, { url: 'https://files.test/' }))).toBe('connection');
    expect(watch.attempts).toEqual(['127.0.0.1']);
  });

  it('an IPv6 server is reached through an allowed bracketed address', async () => {
    await using server = await startServer((_request, response) => response.end('six'), '::1');
    expect(await textOf({ allowedHosts: server.allowed }, { url: server.url })).toBe('six');
    expect(await codeOf(guardedFetch({ allowedHosts: new Set() }, { url: server.url }))).toBe(
      'forbidden_address',
    );
  });

  it('localhost is refused by the resolver of the system too', async () => {
    await using server = await hello();
    const url = `http://localhost:${server.port}/`;
    expect(await codeOf(guardedFetch({ allowedHosts: new Set() }, { url }))).toBe('forbidden_address');
    const deps = { allowedHosts: new Set([`localhost:${server.port}`]) };
    expect(await textOf(deps, { url })).toBe('hello');
  });

  it('a name that does not exist is told apart from a host that refuses', async () => {
    await using server = await hello();
    await using dns = await startDnsServer({});
    const deps = { allowedHosts: server.allowed, lookup: dns.lookup };
    const { port } = server;
    await server[Symbol.asyncDispose]();
    expect(await codeOf(guardedFetch(deps, { url: 'http://nowhere.test/' }))).toBe('not_found_host');
    expect(await codeOf(guardedFetch(deps, { url: `http://127.0.0.1:${port}/` }))).toBe('connection');
  });

  it('no failure names an address', async () => {
    await using dns = await startDnsServer({ 'inside.test': [['10.1.2.3']] });
    const deps = { allowedHosts: new Set(['127.0.0.1:1']), lookup: dns.lookup };
    for (const url of [
      'http://inside.test/',
      'http://127.0.0.1:1/',
      'http://gone.test/',
      'http://10.1.2.3/',
    ]) {
      const failure = await guardedFetch(deps, { url }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FetchError);
      expect((failure as FetchError).message).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
    }
  });
});
