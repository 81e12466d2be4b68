import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { guardedFetch } from './fetch.ts';
import { type ScriptedServer, startServer } from './test-support/http-server.ts';
import { readAll } from './test-support/read-all.ts';
import { codeOf } from './test-support/sockets.ts';

const text = 'The quick brown fox. '.repeat(500);

const serve = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
  startServer((_request, response) => {
    response.writeHead(200, headers).end(body);
  });

const read = async (server: ScriptedServer, maxBytes = 100_000) =>
  readAll(await guardedFetch({ allowedHosts: server.allowed }, { url: server.url, limits: { maxBytes } }));

const readText = async (server: ScriptedServer) => new TextDecoder().decode(await read(server));

describe('guardedFetch and bodies', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
  ])('a body in %s is read', async (encoding, body) => {
    await using server = await serve(body, { 'content-encoding': encoding });
    expect(await readText(server)).toBe(text);
  });

  it('an empty body is empty, compressed or not', async () => {
    for (const encoding of ['identity', 'gzip', 'deflate', 'br', 'zstd']) {
      await using server = await serve('', { 'content-encoding': encoding });
      expect(await read(server), encoding).toHaveLength(0);
    }
  });

  it.each(['compress', 'constructor', 'gzip, gzip, gzip'])('a body in %s is refused', async (encoding) => {
    await using server = await serve(text, { 'content-encoding': encoding });
    await expect(read(server)).rejects.toMatchObject({ code: 'connection', message: /cannot be read/ });
  });

  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
  ])('a broken or cut body in %s fails', async (encoding, body) => {
    const broken = Buffer.concat([body.subarray(0, 4), Buffer.alloc(64, 0xff)]);
    await using first = await serve(broken, { 'content-encoding': encoding });
    expect(await codeOf(read(first))).toBe('connection');
    await using second = await serve(body.subarray(0, Math.floor(body.length / 2)), {
      'content-encoding': encoding,
    });
    expect(await codeOf(read(second))).toBe('connection');
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(20_000_000))],
    ['deflate', deflateSync(Buffer.alloc(20_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(20_000_000))],
    ['zstd', zstdCompressSync(Buffer.alloc(20_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(20_000_000)))],
  ])('a bomb in %s is stopped at the limit of what it unpacks to', async (encoding, body) => {
    expect(body.byteLength).toBeLessThan(100_000);
    await using server = await serve(body, { 'content-encoding': encoding });
    expect(await codeOf(read(server))).toBe('too_large');
  });

  it('a body of exactly the limit is accepted, and one byte more is refused', async () => {
    await using server = await startServer((request, response) => {
      response.write(Buffer.alloc(600));
      response.end(Buffer.alloc(request.url === '/more' ? 401 : 400));
    });
    const deps = { allowedHosts: server.allowed };
    const limits = { maxBytes: 1000 };
    expect(await readAll(await guardedFetch(deps, { url: server.url, limits }))).toHaveLength(1000);
    const more = guardedFetch(deps, { url: `${server.url}/more`, limits });
    expect(await codeOf(more.then(readAll))).toBe('too_large');
  });

  it('a declared length past the limit is refused before the body comes', async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1001' }).flushHeaders();
    });
    const deps = { allowedHosts: server.allowed };
    const response = await guardedFetch(deps, { url: server.url, limits: { maxBytes: 1000 } });
    expect(await codeOf(readAll(response))).toBe('too_large');
    const head = await guardedFetch(deps, { url: server.url, method: 'HEAD', limits: { maxBytes: 1000 } });
    expect(await readAll(head)).toHaveLength(0);
  });

  it('an endless body is cut off', async () => {
    await using server = await startServer((_request, response) => {
      const chunk = Buffer.alloc(16_384);
      const fill = () => {
        while (response.write(chunk));
      };
      response.on('drain', fill);
      fill();
    });
    expect(await codeOf(read(server))).toBe('too_large');
  });

  it('a body cut short of its length, and a chunked one without its end, fail', async () => {
    for (const headers of [{ 'content-length': '1000' }, {}]) {
      await using server = await startServer((_request, response) => {
        response.writeHead(200, headers);
        response.write('half of it', () => response.destroy());
      });
      expect(await codeOf(read(server))).toBe('connection');
    }
  });

  it('a reset before the head, and an answer that is not HTTP, fail', async () => {
    await using reset = await startServer((request) => request.socket.resetAndDestroy());
    expect(await codeOf(read(reset))).toBe('connection');
    await using other = await startServer((request) => request.socket.end('220 mail.test ESMTP\r\n'));
    expect(await codeOf(read(other))).toBe('connection');
  });

  it('a body that fails before anyone reads it fails when it is read', async () => {
    const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
    await using server = await startServer((request, response) => {
      response.write('start', () => request.socket.resetAndDestroy());
      request.socket.once('close', close);
    });
    const response = await guardedFetch({ allowedHosts: server.allowed }, { url: server.url });
    await isClosed;
    expect(await codeOf(readAll(response))).toBe('connection');
  });

  it.each(['leaves the loop', 'discards'])('a reader that %s closes the connection', async (way) => {
    const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
    await using server = await startServer((request, response) => {
      request.socket.once('close', close);
      response.write('start');
    });
    const response = await guardedFetch({ allowedHosts: server.allowed }, { url: server.url });
    if (way === 'discards') response.discard();
    else for await (const _chunk of response.body) break;
    await isClosed;
  });

  it('a proxy named in the environment is not used', async () => {
    await using proxy = await serve('from the proxy');
    await using server = await serve('from the server');
    const run = promisify(execFile);
    const probe = new URL('test-support/proxy-probe.ts', import.meta.url).pathname;
    const { stdout } = await run(process.execPath, [probe, server.url, [...server.allowed][0]!], {
      env: {
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxy.url,
        http_proxy: proxy.url,
        ALL_PROXY: proxy.url,
      },
    });
    expect(stdout).toBe('from the server');
    expect(proxy.requests).toHaveLength(0);
  });
});
