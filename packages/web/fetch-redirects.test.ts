import { describe, expect, it } from 'vitest';
import { guardedFetch } from './fetch.ts';
import { type ScriptedServer, startServer } from './test-support/http-server.ts';
import { readAll } from './test-support/read-all.ts';
import { codeOf } from './test-support/sockets.ts';

const redirectTo = (location: string, status = 302) =>
  startServer((_request, response) => {
    response.writeHead(status, { location }).end();
  });

const allowing = (...servers: ScriptedServer[]) => ({
  allowedHosts: new Set(servers.flatMap((server) => [...server.allowed])),
});

describe('guardedFetch and redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    '%i is followed, and the answer names where it came from',
    async (status) => {
      await using server = await startServer((request, response) => {
        const location = Buffer.from('/nouveauté?q=1').toString('latin1');
        if (request.url === '/old') response.writeHead(status, { location }).end();
        else response.end('arrived');
      });
      const response = await guardedFetch(allowing(server), { url: `${server.url}/old` });
      expect(response.finalUrl).toBe(`${server.url}/nouveaut%C3%A9?q=1`);
      expect(new TextDecoder().decode(await readAll(response))).toBe('arrived');
    },
  );

  it('101, which nobody asked for, is a failure, and not a wait without end', async () => {
    await using server = await startServer((_request, { socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    const failure = await codeOf(guardedFetch(allowing(server), { url: server.url }));
    expect(failure).not.toBe('no failure');
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]:1/',
    'http://0x7f000001:1/',
    '//10.0.0.1/',
    'https://192.168.0.1/',
    'http://localhost:1/',
  ])('a redirect to %s is refused', async (location) => {
    await using server = await redirectTo(location);
    expect(await codeOf(guardedFetch(allowing(server), { url: server.url }))).toBe('forbidden_address');
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'http://user:secret@example.com/', 'http://['])(
    'a redirect to %s is refused',
    async (location) => {
      await using server = await redirectTo(location);
      expect(await codeOf(guardedFetch(allowing(server), { url: server.url }))).toBe('invalid_url');
    },
  );

  it('a loop ends after five redirects', async () => {
    await using server = await redirectTo('/');
    expect(await codeOf(guardedFetch(allowing(server), { url: server.url }))).toBe('too_many_redirects');
    expect(server.requests).toHaveLength(6);
  });

  it('five redirects are followed', async () => {
    await using server = await startServer((request, response) => {
      const step = Number(request.url!.slice(1));
      if (step < 5) response.writeHead(302, { location: `/${step + 1}` }).end();
      else response.end('arrived');
    });
    const response = await guardedFetch(allowing(server), { url: `${server.url}/0` });
    expect(response.finalUrl).toBe(`${server.url}/5`);
    response.discard();
  });

  it('nothing of the first host is sent on to the second', async () => {
    await using second = await startServer((_request, response) => response.end('second'));
    await using first = await startServer((_request, response) => {
      response.writeHead(302, { location: second.url, 'set-cookie': 'session=1; Path=/' }).end();
    });
    const response = await guardedFetch(allowing(first, second), { url: `${first.url}/?token=secret` });
    await readAll(response);
    const { cookie, authorization, referer } = second.requests[0]!.headers;
    expect({ cookie, authorization, referer }).toEqual({});
    expect(JSON.stringify(second.requests[0]!.rawHeaders)).not.toContain('secret');
  });

  it('a redirect without a location, and a status outside 2xx, is a bad status', async () => {
    for (const status of [302, 304, 404, 429, 500]) {
      await using server = await startServer((_request, response) => {
        response.writeHead(status).end('a page about it');
      });
      const failure = guardedFetch(allowing(server), { url: server.url });
      await expect(failure).rejects.toMatchObject({ code: 'bad_status', status });
    }
  });
});
