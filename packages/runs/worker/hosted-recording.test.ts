import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHosted } from './hosted-recording.ts';

const sound = Buffer.from('sound');
let served: { headers: OutgoingHttpHeaders; body: Buffer };
let server: Server;
let origin: string;
let web: { allowedHosts: Set<string> };

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { location: '/talk.flac?x=1' }).end();
    return response.writeHead(200, served.headers).end(served.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  web = { allowedHosts: new Set([host]) };
});
afterAll(() => void server.close());

test.each([
  ['/a/My%20talk.MP3?token=1', 'audio/mpeg', 'My talk.MP3', 'audio/mpeg'],
  ['/talk.wav', 'application/octet-stream', 'talk.wav', 'audio/wav'],
  ['/talk.wav', '', 'talk.wav', 'audio/wav'],
  ['/download?id=7', 'audio/mpeg', 'download.mp3', 'audio/mpeg'],
  ['/', 'audio/x-m4a; rate=1', 'recording.m4a', 'audio/x-m4a'],
  ['/stream.php', 'video/mp4', 'stream.php.mp4', 'video/mp4'],
  ['/moved', 'text/plain', 'talk.flac', 'audio/flac'],
  ['/%FF', 'audio/unheard-of', '%FF', 'audio/unheard-of'],
  ['/a%0D%0Ab%22', 'text/html', 'ab"', 'application/octet-stream'],
])('%s, served as %s, goes on as %s of type %s', async (path, type, filename, contentType) => {
  served = {
    headers: { 'content-length': sound.length, ...(type && { 'content-type': type }) },
    body: sound,
  };
  const { body, ...rest } = await openHosted(web, origin + path, AbortSignal.timeout(10_000));
  expect(rest).toEqual({ filename, contentType, bytes: sound.length });
  expect(await buffer(body)).toEqual(sound);
});

test.each([
  ['that comes compressed', { 'content-encoding': 'gzip' }, gzipSync(sound)],
  ['whose host does not say it', { 'transfer-encoding': 'chunked' }, sound],
])('the size of a recording %s is not known', async (_, headers, body) => {
  served = { headers, body };
  const recording = await openHosted(web, `${origin}/talk.mp3`, AbortSignal.timeout(10_000));
  expect(recording).not.toHaveProperty('bytes');
  expect(await buffer(recording.body)).toEqual(sound);
});
