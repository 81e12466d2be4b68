import { describe, expect, it } from 'vitest';
import { looksLikeImage } from './hosted-kind.ts';
import { answerWith, startServer } from './test-support/http-server.ts';
import { codeOf } from './test-support/sockets.ts';

const closed = { allowedHosts: new Set<string>() };

describe('looksLikeImage', () => {
  it.each(['a.png', 'a.JPG', 'a.jpeg', 'a.WebP', 'a.gif', 'a.png?x=.pdf', 'a.png#b'])(
    '%s is an image without asking',
    async (name) => expect(await looksLikeImage(closed, `http://127.0.0.1/${name}`)).toBe(true),
  );

  it.each(['a.pdf', 'a.DOCX', 'a.doc', 'a.rtf', 'a.txt?x=.png', 'a.csv#.gif'])(
    '%s is no image, without asking',
    async (name) => {
      await using server = await startServer(answerWith('image/png', 'x'));
      expect(await looksLikeImage({ allowedHosts: server.allowed }, `${server.url}/${name}`)).toBe(false);
      expect(server.requests).toHaveLength(0);
    },
  );

  it.each([
    ['image/png', true],
    ['IMAGE/JPEG; x=y', true],
    ['image/svg+xml', false],
    ['text/html', false],
    ['application/pdf', false],
  ])('without such an ending, %s decides: %s', async (contentType, expected) => {
    await using server = await startServer(answerWith(contentType, 'x'));
    const deps = { allowedHosts: server.allowed };
    expect(await looksLikeImage(deps, `${server.url}/file?name=a.png`)).toBe(expected);
    expect(server.requests.map((request) => request.method)).toEqual(['HEAD']);
  });

  it.each(['a status', 'no type', 'a closed connection'])(
    'a host that answers HEAD with %s is asked by GET',
    async (way) => {
      await using server = await startServer((request, response) => {
        if (request.method === 'GET')
          return response.writeHead(200, { 'content-type': 'image/gif' }).write('endless');
        if (way === 'a status') return response.writeHead(405).end();
        return way === 'no type' ? response.end() : request.socket.destroy();
      });
      expect(await looksLikeImage({ allowedHosts: server.allowed }, server.url)).toBe(true);
    },
  );

  it.each(['http://127.0.0.1:1/x', 'http://169.254.169.254/x', 'ftp://example.com/x', 'nonsense'])(
    '%s is no image, and no failure',
    async (url) => expect(await looksLikeImage(closed, url)).toBe(false),
  );

  it('a caller that aborts gets its abort', async () => {
    const looking = looksLikeImage(closed, 'http://example.com/x', AbortSignal.abort());
    expect(await codeOf(looking)).toBe('aborted');
  });
});
