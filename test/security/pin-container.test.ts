import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pinContainer } from '../../scripts/pin-container.ts';

const list = 'application/vnd.oci.image.index.v1+json';
const manifest = JSON.stringify({ schemaVersion: 2, manifests: [{ platform: { architecture: 'arm64' } }] });
const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
const original = readFileSync(new URL('../../infra/container.Dockerfile', import.meta.url), 'utf8');

const registry = createServer((request, response) => answer(request, response));
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[];
let url: string;
let folder: string;
let dockerfile: string;

beforeAll(async () => {
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => {
  registry.close();
  registry.closeAllConnections();
});

beforeEach(() => {
  asked = [];
  folder = mkdtempSync(path.join(tmpdir(), 'errand-pin-'));
  dockerfile = path.join(folder, 'Dockerfile');
  writeFileSync(dockerfile, original);
  return () => rmSync(folder, { recursive: true });
});

const pin = () => pinContainer(dockerfile, url);
const send = (response: ServerResponse, headers: Record<string, string>, body = manifest) =>
  response.writeHead(200, headers).end(body);

/** As Docker Hub answers: a token is free, and nothing is without one. */
function likeDockerHub(headers: Record<string, string>) {
  answer = (request, response) => {
    asked.push(`${request.url} ${request.headers.accept?.includes(list) ? 'lists' : ''}`);
    if (request.url?.startsWith('/token')) return send(response, {}, '{"token":"anybody"}');
    if (request.headers.authorization === 'Bearer anybody') return send(response, headers);
    const scope = 'repository:library/node:pull';
    response.setHeader('WWW-Authenticate', `Bearer realm="${url}/token",service="hub",scope="${scope}"`);
    response.writeHead(401).end();
  };
}

test('the base image is named by the digest of what the registry has for all platforms', async () => {
  likeDockerHub({ 'Content-Type': list, 'Docker-Content-Digest': digest });
  expect(await pin()).toBe(`node:24-slim@${digest}`);
  expect(asked).toEqual([
    '/v2/library/node/manifests/24-slim lists',
    '/token?service=hub&scope=repository%3Alibrary%2Fnode%3Apull ',
    '/v2/library/node/manifests/24-slim lists',
  ]);
  const pinned = readFileSync(dockerfile, 'utf8');
  expect(pinned).toBe(original.replace(/^FROM node:24-slim/m, `FROM node:24-slim@${digest}`));
  await pin();
  expect(readFileSync(dockerfile, 'utf8')).toBe(pinned);
});

test.each([
  ['Dockerfile', /^FROM node:\S+(?= AS base$)/m],
  ['compose.yaml', /image: amazon\/dynamodb-local:\S+$/m],
])('the %s changes in the digest of its image alone', async (name, line) => {
  likeDockerHub({ 'Content-Type': list, 'Docker-Content-Digest': digest });
  const text = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  writeFileSync(dockerfile, text);
  await pin();
  expect(readFileSync(dockerfile, 'utf8')).toBe(
    text.replace(line, (found) => `${found.replace(/@.*/, '')}@${digest}`),
  );
});

test.each([
  [
    'another digest than its bytes have',
    { 'Content-Type': list, 'Docker-Content-Digest': `sha256:${'0'.repeat(64)}` },
    'the registry names',
  ],
  [
    'the image of one platform',
    { 'Content-Type': 'application/vnd.oci.image.manifest.v1+json' },
    'no list of platforms',
  ],
])('nothing is written if the registry names %s', async (_, headers, words) => {
  likeDockerHub(headers);
  await expect(pin()).rejects.toThrow(words);
  expect(readFileSync(dockerfile, 'utf8')).toBe(original);
});

test('nothing is written if the registry does not know the image', async () => {
  answer = (_, response) => response.writeHead(404).end('{}');
  await expect(pin()).rejects.toThrow('answered 404');
  expect(readFileSync(dockerfile, 'utf8')).toBe(original);
});
