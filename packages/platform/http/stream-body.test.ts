import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog, type LogFields } from '../log.ts';
import { createApp } from './app.ts';
import { eventStreamHeaders, streamResponse } from './sse.ts';

let server: Server;
let baseUrl: string;
let log: LogFields[];
let starts: number;

beforeEach(async () => {
  log = [];
  starts = 0;
  const app = createApp({ log: createLog((line) => void log.push(JSON.parse(line))) });
  app.get('/words', () =>
    streamResponse(eventStreamHeaders, async function* () {
      starts++;
      yield 'one ';
      yield 'two';
    }),
  );
  app.get('/broken', () =>
    streamResponse({}, async function* () {
      yield 'one';
      throw new Error('lost');
    }),
  );
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a stream on a Node server has the headers of every response, and is sent once', async () => {
  const response = await fetch(`${baseUrl}/words`, { headers: { 'X-Request-Id': 'mine' } });
  expect(response.headers.get('content-type')).toBe(eventStreamHeaders['Content-Type']);
  expect(response.headers.get('x-request-id')).toBe('mine');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect([await response.text(), starts]).toEqual(['one two', 1]);
});

test('HEAD has the headers and begins no stream', async () => {
  const response = await fetch(`${baseUrl}/words`, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type'), await response.text(), starts]).toEqual([
    200,
    eventStreamHeaders['Content-Type'],
    '',
    0,
  ]);
});

test('a stream that fails breaks the connection, and the log says so with the request id', async () => {
  const reading = fetch(`${baseUrl}/broken`, { headers: { 'X-Request-Id': 'mine' } }).then((response) =>
    response.text(),
  );
  await expect(reading).rejects.toThrow();
  expect(log).toEqual([
    expect.objectContaining({ level: 'error', message: 'response broke off', requestId: 'mine' }),
  ]);
});
