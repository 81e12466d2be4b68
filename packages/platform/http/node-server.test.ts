import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { createLog } from '../log.ts';
import { createNodeServer } from './node-server.ts';

let server: Server;
let lines: Record<string, unknown>[];

/** More than the system takes of an answer that nobody reads. */
const megabytes = Buffer.alloc(8 * 2 ** 20, 'x');

const log = createLog((line) => void lines.push(JSON.parse(line)));

let late: PromiseWithResolvers<void>;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  server = createNodeServer(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/breaks') throw new TypeError('a secret');
    if (pathname === '/late') await late.promise;
    return new Response(pathname === '/large' ? megabytes : 'ok');
  }, log).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  vi.useRealTimers();
});
beforeEach(() => {
  lines = [];
  late = Promise.withResolvers();
});

function send(request: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(request);
  return text(socket);
}

const status = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

test.each<[string, string, number, string]>([
  ['no HTTP', 'a secret\r\n\r\n', 400, 'HPE_INVALID_METHOD'],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nA: ${'secret'.repeat(9_000)}\r\n\r\n`,
    431,
    'HPE_HEADER_OVERFLOW',
  ],
  [
    'a header with a control character',
    'GET / HTTP/1.1\r\nHost: a\r\nA: secret\0\r\n\r\n',
    400,
    'HPE_INVALID_HEADER_TOKEN',
  ],
])(
  '%s is refused with a status and one line of the log, without the text',
  async (_, request, expected, code) => {
    expect(status(await send(request))).toBe(expected);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', message: 'malformed request', status: expected, code }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  },
);

test('a request with an invalid Host header is a 400 and one line of the log', async () => {
  expect(status(await send('GET / HTTP/1.1\r\nHost: a secret\r\nConnection: close\r\n\r\n'))).toBe(400);
  expect(lines).toEqual([expect.objectContaining({ message: 'request failed', status: 400 })]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('an error outside of the app is a bare 500 and one line of the log', async () => {
  const answer = await send('GET /breaks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(status(answer)).toBe(500);
  expect(answer).not.toContain('secret');
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', message: 'request failed', status: 500, error: 'TypeError' }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a client that leaves in the middle of its request leaves no line in the log', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHos');
  const closed = once(server, 'connection').catch(() => {});
  socket.resetAndDestroy();
  await send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await closed;
  expect(lines).toEqual([]);
});

test('a client that wants its connection closed is answered while it sends, and may send the rest', async () => {
  const opened = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [served] = (await opened) as [Socket];
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n{"a"');
  const [answer] = await once(socket, 'data');
  expect(status(String(answer))).toBe(200);
  // Longer than the library would wait for the rest.
  vi.advanceTimersByTime(limits.answeredBodyMilliseconds - 1);
  await send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(served.writable).toBe(true);
  socket.write(':1234}');
  await once(socket.resume(), 'end');
});

test('a client that wants its connection closed, and whose body is whole, is told that it is', async () => {
  const arrived = once(server, 'request');
  const answer = send('POST /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
  await arrived;
  // The body is read after the head, in the same turn.
  await setImmediate();
  late.resolve();
  expect(await answer).toMatch(/^connection: close\r$/im);
});

/** A client that reads nothing, with the server's end of its connection. */
async function openUnread(request: string, times = 1): Promise<{ client: Socket; served: Socket }> {
  const opened = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(`GET ${request} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(times));
  const [served] = await opened;
  return { client, served };
}

test('an answer that nobody reads ends with its connection, and one that is not ready does not', async () => {
  const { client, served } = await openUnread('/large');
  await vi.waitUntil(() => served.writableLength > 0, 60_000);
  expect(served.timeout).toBe(limits.streamStallMilliseconds);
  const waiting = await openUnread('/late');
  // The request has arrived once the socket has a response to send.
  await vi.waitUntil(() => (waiting.served as { _httpMessage?: unknown })._httpMessage, 60_000);
  const ends = [served, waiting.served].map((socket) => once(socket, 'timeout'));
  for (const socket of [served, waiting.served]) socket.setTimeout(1);
  await Promise.all(ends);
  expect([served.destroyed, waiting.served.destroyed]).toEqual([true, false]);
  late.resolve();
  const [answer] = await once(waiting.client, 'data');
  expect(status(String(answer))).toBe(200);
  for (const socket of [client, waiting.client]) socket.destroy();
});

test('past the memory for answers that are not read, the connection with the most of them is cut', async () => {
  const few = await openUnread('/large', 2);
  const many = await openUnread('/large', Math.ceil(limits.unreadAnswersBytes / megabytes.length));
  // The answers are written while the clock goes on.
  await vi.waitUntil(() => {
    vi.advanceTimersByTime(limits.unreadCheckMilliseconds);
    return many.served.destroyed;
  }, 60_000);
  expect(few.served.destroyed).toBe(false);
  for (const { client } of [few, many]) client.destroy();
});
