import { gzipSync } from 'node:zlib';
import { limits } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { guardedFetch } from './fetch.ts';
import { createFetchMeter } from './fetch-meter.ts';
import { startServer } from './test-support/http-server.ts';
import { readAll } from './test-support/read-all.ts';
import { codeOf } from './test-support/sockets.ts';

const text = 'The quick brown fox. '.repeat(5_000);

describe('a fetch meter', () => {
  it('counts the bytes that came over the wire, once, compressed or not', async () => {
    const compressed = gzipSync(text);
    await using server = await startServer(({ url }, response) => {
      const isCompressed = url === '/gzip';
      response.writeHead(200, isCompressed ? { 'content-encoding': 'gzip' } : {});
      response.end(isCompressed ? compressed : text);
    });
    const meter = createFetchMeter();
    const deps = { allowedHosts: server.allowed, meter };
    await readAll(await guardedFetch(deps, { url: `${server.url}/gzip` }));
    expect(meter.fetched().bytes).toBe(compressed.byteLength);
    await readAll(await guardedFetch(deps, { url: server.url }));
    expect(meter.fetched()).toEqual({ bytes: compressed.byteLength + text.length, hosts: ['127.0.0.1'] });
  });

  it('stops a body at the bound that all fetches share, and sends no further request', async () => {
    await using server = await startServer((_request, response) => void response.end(text));
    const meter = createFetchMeter();
    meter.resume({ bytes: limits.fetchedBytesPerRun - text.length - 10, hosts: [] });
    const deps = { allowedHosts: server.allowed, meter };
    const fetchAll = async () => (await readAll(await guardedFetch(deps, { url: server.url }))).byteLength;
    const outcomes = await Promise.allSettled([fetchAll(), fetchAll()]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { code: 'over_budget', message: /200 MB; answer with/ } });
    const sent = server.requests.length;
    expect(await codeOf(fetchAll())).toBe('over_budget');
    expect(server.requests).toHaveLength(sent);
  });

  it('counts a host that does not exist, and none that the guard refuses', async () => {
    const meter = createFetchMeter();
    const deps = { allowedHosts: new Set<string>(), meter };
    await codeOf(guardedFetch(deps, { url: 'http://10.0.0.1/' }));
    await codeOf(guardedFetch(deps, { url: 'http://nothing.invalid/' }));
    expect(meter.fetched().hosts).toEqual(['nothing.invalid']);
  });
});
