import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { serve } from '@hono/node-server';
import { afterEach, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { silentLog } from '../log.ts';
import { createApp } from './app.ts';
import { readJsonText } from './body.ts';
import { commonErrors, errorHandler, unexpectedErrors } from './errors.ts';

afterEach(() => void vi.useRealTimers());

test('reading a body whose sender has left already does not wait', async () => {
  const outcome = Promise.withResolvers<unknown>();
  const app = createApp({ log: silentLog });
  const arrived = Promise.withResolvers<void>();
  app.post('/', async (c) => {
    const { incoming } = c.env as unknown as { incoming: IncomingMessage };
    arrived.resolve();
    await new Promise((resolve) => incoming.once('close', resolve));
    outcome.resolve(await readJsonText(c).catch((error: unknown) => error));
    return c.text('');
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: errand\r\nContent-Length: 10\r\n\r\n{"a"');
  await arrived.promise;
  socket.destroy();
  expect(await outcome.promise).toMatchObject({ code: 'malformed_json' });
  server.close();
});

test('a body that stalls until the deadline is not JSON', async () => {
  const app = createApp({ log: silentLog });
  const reading = Promise.withResolvers<void>();
  app.onError(errorHandler(silentLog, { ...unexpectedErrors(), ...commonErrors } as never));
  app.post('/', async (c) => {
    const body = readJsonText(c);
    reading.resolve();
    return c.text(await body);
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: errand\r\nContent-Length: 10\r\n\r\n{"a"');
  await reading.promise;
  vi.advanceTimersByTime(limits.answerMilliseconds);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 400 [\s\S]*Malformed JSON in request body$/);
  socket.destroy();
  server.closeAllConnections();
  server.close();
});
