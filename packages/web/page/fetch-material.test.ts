import { gzipSync } from 'node:zlib';
import { limits } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { describeFetchFailure } from '../failure.ts';
import { answerWith, startServer } from '../test-support/http-server.ts';
import { wholeReading } from '../test-support/reading.ts';
import { codeOf } from '../test-support/sockets.ts';
import { convertPage } from './convert-page.ts';
import { fetchMaterial } from './fetch-material.ts';

async function readAnswer(contentType: string, body: string | Uint8Array) {
  await using server = await startServer(answerWith(contentType, body));
  return await read(server, '/page');
}

/** Fetches a page and converts it, as tools do. */
async function read(
  { allowed, url }: { allowed: ReadonlySet<string>; url: string },
  path = '',
  signal?: AbortSignal,
) {
  const web = { allowedHosts: allowed };
  const { isDocument, ...page } = await fetchMaterial(web, {
    url: `${url}${path}`,
    signal,
  });
  expect(isDocument).toBe(false);
  return convertPage({}, { ...page, reading: wholeReading }, signal);
}

async function expectDocument(contentType: string, body: string | Buffer): Promise<void> {
  await using server = await startServer(answerWith(contentType, body));
  const fetched = await fetchMaterial({ allowedHosts: server.allowed }, { url: `${server.url}/file` });
  expect(fetched).toMatchObject({ isDocument: true, contentType });
  expect(Buffer.from(body).equals(fetched.bytes)).toBe(true);
  expect(fetched.give()).toHaveLength(Buffer.byteLength(body));
  expect(fetched.bytes, 'bytes that were given away').toHaveLength(0);
  fetched.release();
}

describe('fetchMaterial', () => {
  it('names the address that the page was read from, after redirects, and resolves its links there', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/old') return response.writeHead(301, { location: '/new/' }).end();
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      return response.end(gzipSync('<title>New</title><p>Go <a href="on">on</a>.</p>'));
    });
    const page = await read(server, '/old');
    expect(page).toMatchObject({ url: `${server.url}/new/`, title: 'New' });
    expect(page.shown.text).toBe(`Go [on](${server.url}/new/on).`);
  });

  it.each([
    ['text/plain', '# not <b>html</b>'],
    ['text/markdown; charset=utf-8', '# Title'],
    ['application/json', '{"a": [1, 2]}'],
    ['application/ld+json', '{}'],
    ['application/xml', '<?xml version="1.0"?><a>1</a>'],
    ['application/rss+xml', '<rss><channel/></rss>'],
    ['text/csv', 'a;b\n1;2'],
    ['application/octet-stream', 'plain words'],
    ['', 'plain words'],
  ])('%j comes back as it is', async (contentType, body) => {
    const { title, shown } = await readAnswer(contentType, body);
    expect({ title, text: shown.text }).toEqual({ title: undefined, text: body });
  });

  it.each(['text/html', 'application/xhtml+xml', '', 'application/octet-stream'])(
    '%j is read as HTML',
    async (type) => {
      const { shown } = await readAnswer(type, '<!DOCTYPE html><p>words</p>');
      expect(shown.text).toBe('words');
    },
  );

  it.each([
    ['application/pdf', '%PDF-1.7'],
    ['text/html', '%PDF-1.7'],
    ['text/plain', '{\\rtf1 text}'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK\x03\x04'],
    ['application/octet-stream', 'PK\x03\x04'],
    ['application/octet-stream', Buffer.from([1, 0, 2, 255])],
    ['application/zip', 'PK'],
  ])('%s (%j) is for a reader of documents', expectDocument);

  it('a text that is longer than a page may be is for a reader of documents', () =>
    expectDocument('text/plain', Buffer.alloc(limits.pageBytes + 1, 'a')));

  it.each([
    ['image/png', 'vision'],
    ['audio/mpeg', 'audio_transcribe'],
    ['video/mp4', 'audio_transcribe'],
  ])('%s is refused with the tool that reads it', async (contentType, tool) => {
    const failure = await readAnswer(contentType, 'x').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'not_a_page' });
    expect(describeFetchFailure(failure)).toMatch(/^Error: Failed to fetch document from URL: it is an? /);
    expect(describeFetchFailure(failure)).toContain(tool);
  });

  it('a caller that aborts while the page is read gets its abort', async () => {
    const controller = new AbortController();
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<p>words</p>'.repeat(100_000), () => setImmediate(() => controller.abort()));
    });
    const outcome = await read(server, '', controller.signal).catch((error: unknown) => error);
    expect([outcome, (outcome as { code?: string }).code]).toSatisfy(
      ([error, code]) => error === controller.signal.reason || code === 'aborted',
    );
  });

  it('a page past the limit is refused', async () => {
    expect(await codeOf(readAnswer('text/html', Buffer.alloc(limits.pageBytes + 1, 'a')))).toBe('too_large');
  });
});

describe('describeFetchFailure', () => {
  it('names the status', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(404, 'Secret reason').end(),
    );
    const failure = await read(server).catch((error: unknown) => error);
    expect(describeFetchFailure(failure)).toBe('Error: Failed to fetch document from URL: 404 Not Found');
  });

  it('repeats no word of an unknown error', () => {
    const failure = new Error('connect ECONNREFUSED 10.0.0.1:80');
    expect(describeFetchFailure(failure)).toBe(
      'Error: Failed to fetch document from URL: the request failed',
    );
  });
});
