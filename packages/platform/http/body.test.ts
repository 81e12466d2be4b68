import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { serve } from '@hono/node-server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { silentLog } from '../log.ts';
import { createApp } from './app.ts';
import { boundWholeBodies, parseJson, readJsonText } from './body.ts';
import { commonErrors, errorHandler, unexpectedErrors } from './errors.ts';
import { createNodeServer } from './node-server.ts';

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

test('large bodies that are whole at the same time are read in turns of their own', async () => {
  const app = createApp({ log: silentLog });
  const readIn: number[] = [];
  let turn = 0;
  app.post('/', async (c) => {
    await readJsonText(c);
    readIn.push(turn);
    return c.text('');
  });
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  count();
  const body = JSON.stringify('x'.repeat(limits.ownTurnBytes));
  await Promise.all(Array.from({ length: 8 }, () => app.request('/', { method: 'POST', body })));
  isOver = true;
  expect(new Set(readIn).size).toBe(8);
});

/** A server that answers with the body as it was read. Its timers are the test's. */
async function serveBodies(): Promise<{
  server: Server;
  reading: Promise<void>;
  port: number;
  send(socket: Socket, text: string): Promise<void>;
}> {
  const app = createApp({ log: silentLog });
  const reading = Promise.withResolvers<void>();
  app.onError(errorHandler(silentLog, { ...unexpectedErrors(), ...commonErrors } as never));
  app.post('/', async (c) => {
    const body = readJsonText(c);
    reading.resolve();
    return c.text(await body);
  });
  const server = createNodeServer(app.fetch, silentLog).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections: Socket[] = [];
  server.on('connection', (socket) => void connections.push(socket));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return {
    server,
    reading: reading.promise,
    port: (server.address() as AddressInfo).port,
    async send(socket, text) {
      socket.write(text);
      const served = () => connections.find(({ remotePort }) => remotePort === socket.localPort);
      while ((served()?.bytesRead ?? 0) < socket.bytesWritten) await new Promise(setImmediate);
      await new Promise(setImmediate);
    },
  };
}

const head = (bytes: number) => `POST / HTTP/1.1\r\nHost: errand\r\nContent-Length: ${bytes}\r\n\r\n`;
const leastBytes = (limits.bodyBytesPerSecond * limits.bodyMilliseconds) / 1000;

describe('a body', () => {
  test('that drips is a 408 after its time, and its connection is closed', async () => {
    const { server, reading, port, send } = await serveBodies();
    const socket = connect(port, '127.0.0.1');
    const answer = text(socket);
    socket.write(`${head(1_000)}{"a"`);
    await reading;
    for (let second = 0; second < limits.bodyMilliseconds / 1000 - 1; second++) {
      vi.advanceTimersByTime(1_000);
      await send(socket, ' ');
    }
    vi.advanceTimersByTime(1_000);
    expect(await answer).toMatch(
      /^HTTP\/1.1 408 [\s\S]*connection: close\r\n[\s\S]*The request body did not arrive in time\. Please retry\.$/i,
    );
    server.close();
  });

  test('that brings its least rate is read for as long as an answer may take, and no longer', async () => {
    const { server, reading, port, send } = await serveBodies();
    const socket = connect(port, '127.0.0.1');
    const answer = text(socket);
    socket.write(head(5 * leastBytes));
    await reading;
    const stretches = Math.floor(limits.answerMilliseconds / limits.bodyMilliseconds);
    for (let stretch = 0; stretch < stretches; stretch++) {
      await send(socket, ' '.repeat(leastBytes));
      vi.advanceTimersByTime(limits.bodyMilliseconds);
    }
    expect(socket.readyState).toBe('open');
    await send(socket, ' '.repeat(leastBytes));
    vi.advanceTimersByTime(limits.answerMilliseconds - stretches * limits.bodyMilliseconds);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    server.close();
  });

  test('that stops bringing its least rate ends a stretch later', async () => {
    const { server, reading, port, send } = await serveBodies();
    const socket = connect(port, '127.0.0.1');
    const answer = text(socket);
    socket.write(head(5 * leastBytes));
    await reading;
    await send(socket, ' '.repeat(leastBytes));
    vi.advanceTimersByTime(limits.bodyMilliseconds);
    await send(socket, ' '.repeat(leastBytes - 1));
    vi.advanceTimersByTime(limits.bodyMilliseconds);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    server.close();
  });

  test.each([1, 7, 65_537])('that comes in pieces of %s bytes is read as it was sent', async (piece) => {
    const { server, port } = await serveBodies();
    vi.useRealTimers();
    const sent = JSON.stringify({ text: 'ä€🙂 '.repeat(piece > 1_000 ? 100_000 : 500) });
    const bytes = Buffer.from(sent);
    const socket = connect(port, '127.0.0.1');
    const answer = text(socket);
    socket.write(
      'POST / HTTP/1.1\r\nHost: errand\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    for (let at = 0; at < bytes.length; at += piece) {
      const chunk = bytes.subarray(at, at + piece);
      socket.write(
        Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
      );
    }
    socket.write('0\r\n\r\n');
    expect((await answer).split('\r\n\r\n')[1]).toBe(sent);
    server.close();
  });
});

test('bodies that are still arriving have one bound: past it the one that stalled first is a 503, and who sends is read', async () => {
  const { server, port, send } = await serveBodies();
  const bytes = limits.jsonBodyBytes;
  const text503 = /^HTTP\/1.1 503 [\s\S]*retry-after: 5/i;
  const answers: string[] = [];
  const sockets: Socket[] = [];
  const open = async () => {
    const at = sockets.length;
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    answers.push('');
    socket.on('data', (data) => {
      answers[at] += String(data);
    });
    await once(socket, 'connect');
    await send(socket, `${head(bytes)}${' '.repeat(bytes - 1)}`);
    // A refusal takes some turns until it is read.
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  };
  while (answers.every((answer) => answer === '')) await open();
  expect(sockets.length).toBeGreaterThan(limits.unfinishedBodiesBytes / bytes / 2);
  expect(sockets.length).toBeLessThanOrEqual(limits.unfinishedBodiesBytes / bytes + 1);
  expect(answers.map((answer) => text503.test(answer))).toEqual(answers.map((_, at) => at === 0));
  const last = sockets.length - 1;
  await send(sockets[last]!, ' ');
  await expect.poll(() => answers[last]).toMatch(/^HTTP\/1.1 200 /);
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('past the memory for requests that are being answered a large body is a 503, and a small one is read, until an answer is written', async () => {
  const large = JSON.stringify('x'.repeat(limits.ownTurnBytes));
  const undo = boundWholeBodies(large.length * 3);
  const app = createApp({ log: silentLog });
  app.onError(errorHandler(silentLog, { ...unexpectedErrors(), ...commonErrors } as never));
  const answer = Promise.withResolvers<void>();
  let waiting = 0;
  app.post('/', async (c) => {
    const body = await readJsonText(c);
    if (body === large) {
      waiting++;
      await answer.promise;
    }
    return c.text('ok');
  });
  const server = createNodeServer(app.fetch, silentLog).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (body: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status;
  const first = [ask(large), ask(large)];
  await expect.poll(() => waiting).toBe(2);
  expect([await ask(large), await ask('1')]).toEqual([503, 200]);
  answer.resolve();
  expect(await Promise.all(first)).toEqual([200, 200]);
  await expect.poll(() => ask(large)).toBe(200);
  undo();
  server.close();
});

test.each([
  ['whole', 200],
  ['malformed', 400],
  ['failing', 500],
  ['streamed', 200],
  ['left by its client', 0],
])('the memory of a large body is there again after a request that is %s', async (kind, status) => {
  const large = JSON.stringify(kind.padEnd(limits.ownTurnBytes));
  const undo = boundWholeBodies(large.length * 1.5);
  const app = createApp({ log: silentLog });
  app.onError(errorHandler(silentLog, { ...unexpectedErrors(), ...commonErrors } as never));
  const leaving = new AbortController();
  app.post('/', async (c) => {
    const body = parseJson(await readJsonText(c)) as string;
    if (body.startsWith('failing')) throw new Error('as it was told');
    if (body.startsWith('streamed')) return c.body(new Blob(['a', 'b']).stream());
    if (body.startsWith('left')) {
      leaving.abort();
      return new Promise<Response>(() => {});
    }
    return c.text('ok');
  });
  const server = createNodeServer(app.fetch, silentLog).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = async (body: string, signal?: AbortSignal) => {
    const response = await fetch(url, { method: 'POST', body, signal });
    await response.text();
    return response.status;
  };
  const body = kind === 'malformed' ? large.replaceAll('"', ' ') : large;
  expect(await ask(body, leaving.signal).catch(() => 0)).toBe(status);
  await expect.poll(() => ask(JSON.stringify('x'.repeat(limits.ownTurnBytes)))).toBe(200);
  undo();
  server.close();
});

test('a connection whose request is answered before its body is whole ends soon after', async () => {
  const { server, port, send } = await serveBodies();
  const socket = connect(port, '127.0.0.1');
  const answer = text(socket);
  socket.write('GET /none HTTP/1.1\r\nHost: errand\r\nContent-Length: 1000\r\n\r\n');
  await once(socket, 'data');
  for (let second = 0; second < limits.answeredBodyMilliseconds / 1000; second++) {
    await send(socket, ' ');
    expect(socket.readyState).toBe('open');
    vi.advanceTimersByTime(1_000);
  }
  expect(await answer).toMatch(/^HTTP\/1.1 404 /);
  server.close();
});
