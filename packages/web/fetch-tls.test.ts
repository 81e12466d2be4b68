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
  it('sends the name, not the address, and accepts only a certificate for that name', async () => {
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

  it('a self-signed certificate is refused', async () => {
    await using server = await startHttpsServer('private words');
    await using dns = await startDnsServer({ 'secure.test': [['127.0.0.1']] });
    const deps = { allowedHosts: new Set([`secure.test:${server.port}`]), lookup: dns.lookup };
    expect(await codeOf(guardedFetch(deps, { url: `https://secure.test:${server.port}/` }))).toBe(
      'connection',
    );
  });
});
