import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { createApp, createLog, createStoppableServer, silentLog } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readManifest } from './manifest.ts';
import { mountPages } from './mount-pages.ts';
import { makePages } from './test-support/make-pages.ts';

const uploadOrigin = 'https://files.example.com';
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const texts = {
  '/console': '<p>The console.',
  '/console/assets/app-1a2b3c4d.js': 'start()',
  '/console/licences.txt': 'Licences.',
  '/docs': '<p>The reference.',
};

let folder: string;
let server: Server;
let stop: () => Promise<void>;
let baseUrl: string;

beforeAll(async () => {
  folder = await makePages(texts);
  const app = createApp({ log: silentLog, https: true });
  mountPages(app, { folder, uploadOrigin, log: silentLog });
  ({ server, stop } = createStoppableServer(app.fetch, silentLog));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Requests exactly this path, which `fetch` would normalise, and leaves the body as it was sent. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const sent = request(baseUrl, { path, method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    body: await buffer(response),
  };
}

test('pages stay whole while others are built into their folder', async () => {
  const own = await makePages({ '/console': '<p>The old one.', '/console/assets/old-1a2b3c4d.js': 'old()' });
  const app = createApp({ log: silentLog });
  mountPages(app, { folder: own, uploadOrigin, log: silentLog });
  const textOf = async (path: string) => (await app.request(path)).text();
  expect(await textOf('/console')).toBe('<p>The old one.');
  await rm(own, { recursive: true });
  expect(await textOf('/console')).toBe('<p>The old one.');
  expect(await textOf('/console/assets/old-1a2b3c4d.js')).toBe('old()');
});

test('a page whose file is missing is a 404, logged once, and all others are served', async () => {
  const statusesWithout = async (place: keyof typeof texts) => {
    const own = await makePages(texts);
    await rm(path.join(own, (await readManifest(own)).get(place)?.file ?? ''));
    const lines: string[] = [];
    const app = createApp({ log: silentLog });
    mountPages(app, { folder: own, uploadOrigin, log: createLog((line) => lines.push(line)) });
    const statuses = [];
    for (const asked of ['/', ...Object.keys(texts), '/console/runs'])
      statuses.push((await app.request(asked, { headers: browser })).status);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', place, code: 'ENOENT' }]);
    await rm(own, { recursive: true });
    return statuses;
  };
  expect(await statusesWithout('/console')).toEqual([404, 404, 200, 200, 200, 404]);
  expect(await statusesWithout('/console/assets/app-1a2b3c4d.js')).toEqual([303, 200, 404, 200, 200, 200]);
  expect(await statusesWithout('/console/licences.txt')).toEqual([303, 200, 200, 404, 200, 200]);
  expect(await statusesWithout('/docs')).toEqual([303, 200, 200, 200, 404, 200]);
});

describe('/', () => {
  test('sends browsers to the console', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers } = await ask('/', browser, method);
      expect([status, headers.location, headers.vary]).toEqual([303, '/console', 'Accept']);
    }
  });

  test.each([
    ['a client that takes anything', 'GET', { Accept: '*/*' }],
    ['a client that says nothing', 'GET', {}],
    ['a client of JSON', 'GET', { Accept: 'application/json' }],
    ['a browser that sends a form', 'POST', browser],
  ] as const)('answers 404 to %s', async (_who, method, headers) => {
    const { status, body } = await ask('/', headers, method);
    expect([status, body.toString()]).toEqual([404, '{"error":"Not found"}']);
  });
});

test.each(['/console', '/console/', '/console/runs', '/console/runs/0b8f7d1e?tab=events'])(
  '%s serves the page of the console, whose router resolves the path',
  async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type'], body.toString()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<p>The console.',
    ]);
  },
);

test('a file that is built beside the console is sent as it is', async () => {
  expect((await ask('/console/licences.txt')).body.toString()).toBe('Licences.');
});

test.each(['/docs', '/docs/'])('%s serves the page of the API reference', async (path) => {
  expect((await ask(path)).body.toString()).toBe('<p>The reference.');
});

test.each([
  '/console/assets/gone-1a2b3c4d.js',
  '/console/assets',
  '/console/assets/',
  '/console/assets/../../manifest.json',
  '/console/assets/..%2fmanifest.json',
  '/console/assets/console_assets_app-1a2b3c4d.js.gz',
  '/docs/nothing',
  '/docs/manifest.json',
  '/manifest.json',
  '/consoles',
])('%s is a 404', async (path) => {
  const { status, body } = await ask(path);
  expect([status, body.toString()]).toEqual([404, '{"error":"Not found"}']);
});

test('a page takes no other method', async () => {
  const { status, headers } = await ask('/console', browser, 'POST');
  expect([status, headers.allow]).toEqual([405, 'HEAD, GET']);
});

test('a file whose name has a hash is cached for a year, and a page is validated each time', async () => {
  const asset = await ask('/console/assets/app-1a2b3c4d.js');
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
  const page = await ask('/console');
  expect(page.headers['cache-control']).toBe('no-cache');
  const { etag = '' } = page.headers;
  for (const known of [etag, `"other", ${etag}`]) {
    const again = await ask('/console', { 'If-None-Match': known });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
    expect(again.headers['content-security-policy']).toBe(page.headers['content-security-policy']);
  }
  expect((await ask('/console', { 'If-None-Match': '"other"' })).status).toBe(200);
});

test.each([
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['*', true],
  ['gzip;q=0', false],
  ['*;q=0', false],
  ['br', false],
  ['', false],
])('a browser that takes "%s" gets gzip: %s', async (encodings, packed) => {
  const { headers, body } = await ask('/console', encodings === '' ? {} : { 'Accept-Encoding': encodings });
  expect(headers['content-encoding']).toBe(packed ? 'gzip' : undefined);
  expect(headers['content-length']).toBe(String(body.length));
  expect(headers.vary).toBe('Accept-Encoding');
  expect((packed ? gunzipSync(body) : body).toString()).toBe('<p>The console.');
});

test('HEAD has the headers of GET', async () => {
  const [head, get] = await Promise.all([ask('/console', {}, 'HEAD'), ask('/console')]);
  const told = ({ headers: { date: _, 'x-request-id': __, 'keep-alive': ___, ...rest } }: Answer) => ({
    ...rest,
    connection: '',
  });
  expect(head.body).toHaveLength(0);
  expect(told(head)).toEqual(told(get));
});

test('a page loads and runs only files of this service, and connects to nothing but this service and the bucket', async () => {
  const directives = async (path: string) => {
    const { headers } = await ask(path);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['referrer-policy']).toBe('no-referrer');
    const policy = headers['content-security-policy'] ?? '';
    return Object.fromEntries(policy.split('; ').map((each) => each.split(/ (.*)/).slice(0, 2)));
  };
  const common = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  expect(await directives('/console')).toEqual({
    ...common,
    'font-src': "'self'",
    'connect-src': `'self' ${uploadOrigin}`,
  });
  expect(await directives('/docs')).toEqual({ ...common, 'connect-src': `'self' ${uploadOrigin}` });
});

test('a service without built pages answers 404 to their paths', async () => {
  const app = createApp({ log: silentLog });
  mountPages(app, { folder: `${folder}-gone`, uploadOrigin, log: silentLog });
  for (const path of ['/', '/console', '/docs'])
    expect((await app.request(path, { headers: browser })).status, path).toBe(404);
});
