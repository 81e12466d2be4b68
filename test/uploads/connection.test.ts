import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { formOf, openBucket, sendForm, type TestBucket } from './support.ts';

let service: TestService;
let bucket: TestBucket;
let folder: string;

useServiceAlone((started) => ({ service } = started));
beforeAll(async () => {
  bucket = await openBucket(service);
  folder = await mkdtemp(path.join(tmpdir(), 'errand-upload-'));
});

afterAll(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

const tooLarge = (name: string, megabytes: number) =>
  `"${name}" is larger than the limit of ${megabytes} MB.`;

async function fileOf(name: string, bytes: number): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, '');
  await truncate(file, bytes);
  return file;
}

test.each([
  ['a little over the limit', limits.imageBytes + 1],
  ['far over the limit', 400_000_000],
])('curl sees the 413 of an image %s', async (_, bytes) => {
  const file = await fileOf('photo.png', bytes);
  const url = `${service.baseUrl}/v1/agents/runs`;
  const form = ['-F', 'question=What?', '-F', `file=@${file}`];
  const args = ['-sS', '-w', '\n%{http_code}', '-H', `Authorization: Bearer ${service.apiKey}`];
  const { stdout } = await promisify(execFile)('curl', [...args, ...form, url]);
  expect(stdout).toBe(`${tooLarge('photo.png', 10)}\n413`);
});

test('fetch sees the 413 of a document while it is still sending', async () => {
  const form = formOf(['file', { name: 'a.pdf', bytes: Buffer.alloc(120_000_000) }], ['question', 'Q']);
  expect(await sendForm(service, form)).toMatchObject({ status: 413, body: tooLarge('a.pdf', 50) });
});

/** Opens a form whose body the test sends piece by piece and may leave unfinished. */
async function openForm(name: string): Promise<{ socket: Socket; send(bytes: Buffer): Promise<void> }> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const send = async (bytes: Buffer) => {
    socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes);
    if (!socket.write('\r\n')) await once(socket, 'drain');
  };
  const head = [
    'POST /v1/agents/runs HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${service.apiKey}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const disposition = `form-data; name="file"; filename="${name}"`;
  await send(Buffer.from(`--b\r\nContent-Disposition: ${disposition}\r\n\r\n`));
  return { socket, send };
}

test('the 413 comes at the limit, not at the end of the body', async () => {
  const { socket, send } = await openForm('photo.png');
  const answer = once(socket, 'data');
  await send(Buffer.alloc(10_000_100));
  const [text] = await answer;
  expect(String(text)).toMatch(/^HTTP\/1\.1 413 /);
  expect(String(text)).toContain(tooLarge('photo.png', 10));
  socket.destroy();
});

test('the 415 comes with the first bytes of the file', async () => {
  const { socket, send } = await openForm('program.exe');
  const answer = once(socket, 'data');
  await send(Buffer.alloc(100));
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 415 /);
  socket.destroy();
});

test('a client that goes away in the middle leaves nothing', async () => {
  const { socket, send } = await openForm('talk.mp3');
  await send(Buffer.alloc(12_000_000));
  await vi.waitFor(async () => expect(await bucket.uploads()).toHaveLength(1), 60_000);
  socket.destroy();
  await vi.waitFor(async () => expect(await bucket.uploads()).toEqual([]), 60_000);
});

test('a connection serves further requests after a refused form', async () => {
  for (let i = 0; i < 5; i++) {
    const form = formOf(['file', { name: 'a.exe', bytes: Buffer.alloc(300_000) }], ['question', 'Q']);
    expect((await sendForm(service, form)).status).toBe(415);
    expect((await service.request('/v1/agents/runs')).status).toBe(200);
  }
});
