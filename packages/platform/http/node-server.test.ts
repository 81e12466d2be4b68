import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createNodeServer } from './node-server.ts';

let server: Server;
let lines: Record<string, unknown>[];

const log = createLog((line) => void lines.push(JSON.parse(line)));

beforeAll(async () => {
  server = createNodeServer(async (request) => {
    if (new URL(request.url).pathname === '/breaks') throw new TypeError('a secret');
    return new Response('ok');
  }, log).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());
beforeEach(() => {
  lines = [];
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
