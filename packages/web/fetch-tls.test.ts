import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpsServer } from '../../test/support/tls/https-server.ts';
import { guardedFetch } from './fetch.ts';
import { startDnsServer } from './test-support/dns-server.ts';
import { readAll } from './test-support/read-all.ts';
import { codeOf } from './test-support/sockets.ts';

const trusted = getCACertificates('default');

afterEach(() => setDefaultCACertificates(trusted));

describe('guardedFetch over TLS', () => {
  it('asks for the name, not the address, and reads from the host that can prove to be it', async () => {
    await using server = await startHttpsServer('private words');
    await using dns = await startDnsServer({ 'secure.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] });
    const names = ['secure.test', 'other.test'].map((name) => `${name}:${server.port}`);
    const deps = { allowedHosts: new Set(names), lookup: dns.lookup };
    setDefaultCACertificates([...trusted, server.certificate]);

    const response = await guardedFetch(deps, { url: `https://secure.test:${server.port}/` });
    expect(new TextDecoder().decode(await readAll(response))).toBe('private words');
    expect(await codeOf(guardedFetch(deps, { url: `https://other.test:${server.port}/` }))).toBe(
      'connection',
    );
  });

  it('a certificate of its own making is not believed', async () => {
    await using server = await startHttpsServer('private words');
    await using dns = await startDnsServer({ 'secure.test': [['127.0.0.1']] });
    const deps = { allowedHosts: new Set([`secure.test:${server.port}`]), lookup: dns.lookup };
    expect(await codeOf(guardedFetch(deps, { url: `https://secure.test:${server.port}/` }))).toBe(
      'connection',
    );
  });
});
