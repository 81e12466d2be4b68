import { gzipSync } from 'node:zlib';
import { limits } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { describeFetchFailure } from '../failure.ts';
import { answerWith, startServer } from '../test-support/http-server.ts';
import { wholeReading } from '../test-support/reading.ts';
import { codeOf } from '../test-support/sockets.ts';
import { readPage } from './read-page.ts';

async function readAnswer(contentType: string, body: string | Uint8Array) {
  await using server = await startServer(answerWith(contentType, body));
  return await readPage(
    { allowedHosts: server.allowed },
    { url: `${server.origin}/page`, reading: wholeReading },
  );
}

describe('readPage', () => {
  it('names the address that the page was read from, after redirects, and resolves its links there', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/old') return response.writeHead(301, { location: '/new/' }).end();
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      return response.end(gzipSync('<title>New</title><p>Go <a href="on">on</a>.</p>'));
    });
    const page = await readPage(
      { allowedHosts: server.allowed },
      { url: `${server.origin}/old`, reading: wholeReading },
    );
    expect(page).toMatchObject({ url: `${server.origin}/new/`, title: 'New' });
    expect(page.shown.text).toBe(`Go [on](${server.origin}/new/on).`);
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
    ['application/pdf', '%PDF-1.7', 'document_parse'],
    ['text/html', '%PDF-1.7', 'document_parse'],
    ['text/plain', '{\\rtf1 text}', 'document_parse'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'PK\x03\x04',
      'document_parse',
    ],
    ['application/octet-stream', 'PK\x03\x04', 'document_parse'],
    ['application/octet-stream', Buffer.from([1, 0, 2, 255]), 'document_parse'],
    ['application/zip', 'PK', 'document_parse'],
    ['image/png', 'x', 'vision'],
    ['audio/mpeg', 'x', 'audio_transcribe'],
    ['video/mp4', 'x', 'audio_transcribe'],
  ])('%s (%j) is refused with the tool that reads it', async (contentType, body, tool) => {
    const failure = await readAnswer(contentType, body).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'not_a_page' });
    expect(describeFetchFailure(failure)).toMatch(/^Error: Failed to fetch document from URL: it is an? /);
    expect(describeFetchFailure(failure)).toContain(tool);
  });

  it('a large document is refused as a document, before its bytes come', async () => {
    await using server = await startServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/pdf', 'content-length': '90000000' })
        .flushHeaders();
    });
    const reading = readPage({ allowedHosts: server.allowed }, { url: server.origin, reading: wholeReading });
    await expect(reading).rejects.toThrow(/document_parse/);
  });

  it('a caller that stops it while the page is being read hears so', async () => {
    const controller = new AbortController();
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<p>words</p>'.repeat(100_000), () => setImmediate(() => controller.abort()));
    });
    const reading = readPage(
      { allowedHosts: server.allowed },
      { url: server.origin, reading: wholeReading, signal: controller.signal },
    );
    expect(await codeOf(reading)).toBe('aborted');
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
    const failure = await readPage(
      { allowedHosts: server.allowed },
      { url: server.origin, reading: wholeReading },
    ).catch((e: unknown) => e);
    expect(describeFetchFailure(failure)).toBe('Error: Failed to fetch document from URL: 404 Not Found');
  });

  it('says nothing of what it does not know', () => {
    const failure = new Error('connect ECONNREFUSED 10.0.0.1:80');
    expect(describeFetchFailure(failure)).toBe(
      'Error: Failed to fetch document from URL: the request failed',
    );
  });
});
