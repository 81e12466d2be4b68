import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, type Log, type LogFields } from '../log.ts';
import { createApp } from './app.ts';
import { readJsonText } from './body.ts';
import { withDeadline } from './deadline.ts';
import { createStoppableServer, type StoppableServer } from './stoppable-server.ts';
import { streamBody } from './stream-body.ts';

let served: StoppableServer;
let app: ReturnType<typeof createApp>;
let log: Log;
let lines: LogFields[];
let answer: PromiseWithResolvers<string>;
let arrived: PromiseWithResolvers<void>;
let committed: boolean;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lines = [];
  answer = Promise.withResolvers();
  arrived = Promise.withResolvers();
  committed = false;
  log = createLog((line) => void lines.push(JSON.parse(line)));
  app = createApp({ log });
  app.get('/stream', (c) =>
    c.body(
      streamBody(async (writer) => {
        writer.write('begun ');
        arrived.resolve();
        writer.write(await answer.promise);
      }),
    ),
  );
  app.get('/answer', withDeadline(), async (c) => {
    if (committed) c.var.deadline.commit();
    arrived.resolve();
    return c.text(await answer.promise);
  });
  app.post('/work', async (c) => {
    arrived.resolve();
    return c.text(await readJsonText(c));
  });
  await serve(createStoppableServer(app.fetch, log));
});
afterEach(() => {
  vi.useRealTimers();
  served.server.closeAllConnections();
  served.server.close();
});

async function serve(server: StoppableServer): Promise<void> {
  served = server;
  served.server.listen(0, '127.0.0.1');
  await once(served.server, 'listening');
}

/** A connection that notes what it reads. */
async function open(): Promise<{ socket: Socket; until(part: string): Promise<void>; read(): string }> {
  const socket = connect((served.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  let read = '';
  socket.on('data', (bytes) => {
    read += bytes;
  });
  return {
    socket,
    read: () => read,
    async until(part) {
      while (!read.includes(part)) await once(socket, 'data');
    },
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: errand\r\n\r\n`;
const turns = async () => {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
};

test('a request that ends within the grace period is answered, and the stop waits for no idle connection', async () => {
  const [first, second] = [await open(), await open()];
  first.socket.write(get('/stream'));
  await first.until('begun');
  arrived = Promise.withResolvers();
  second.socket.write(get('/answer'));
  await arrived.promise;
  const stopped = served.stop();
  answer.resolve('the answer');
  await stopped;
  await Promise.all([first.until('the answer'), second.until('the answer')]);
  expect(second.read()).toMatch(/^HTTP\/1.1 200 [\s\S]*Connection: close\r\n[\s\S]*the answer$/i);
  expect(lines).toEqual([]);
});

test('a request on an idle connection after the stop began is refused, and the connection is closed', async () => {
  const [kept, holding] = [await open(), await open()];
  kept.socket.write(get('/stream'));
  await kept.until('begun');
  const streamed = answer;
  answer = Promise.withResolvers();
  arrived = Promise.withResolvers();
  holding.socket.write(get('/answer'));
  await arrived.promise;
  const stopped = served.stop();
  streamed.resolve('the end');
  await kept.until('0\r\n\r\n');
  kept.socket.write('POST /work HTTP/1.1\r\nHost: errand\r\nContent-Length: 2\r\n\r\n{}');
  await once(kept.socket, 'end');
  const refusal = kept.read().split('0\r\n\r\n')[1];
  expect(refusal).toMatch(/^HTTP\/1.1 503 [\s\S]*Connection: close\r\n/i);
  expect(refusal).toMatch(/retry-after: 5\r\n/i);
  answer.resolve('the answer');
  await stopped;
  expect(lines).toMatchObject([{ streamsEnded: 0, requestsRefused: 1 }]);
});

test('a request that will be answered is waited for after 10 s, and any other request is refused', async () => {
  const [charged, waiting, sending] = [await open(), await open(), await open()];
  committed = true;
  charged.socket.write(get('/answer'));
  await arrived.promise;
  committed = false;
  const charging = answer;
  answer = Promise.withResolvers();
  for (const [connection, request] of [
    [waiting, get('/answer')],
    [sending, 'POST /work HTTP/1.1\r\nHost: errand\r\nContent-Length: 20\r\n\r\n{"half":'],
  ] as const) {
    arrived = Promise.withResolvers();
    connection.socket.write(request);
    await arrived.promise;
  }
  const stopped = served.stop();
  vi.advanceTimersByTime(9_999);
  await turns();
  expect([waiting.read(), sending.read()]).toEqual(['', '']);
  vi.advanceTimersByTime(1);
  await Promise.all([waiting.until('stopping'), sending.until('stopping')]);
  expect([waiting.read(), sending.read()].map((text) => text.slice(0, 13))).toEqual([
    'HTTP/1.1 503 ',
    'HTTP/1.1 503 ',
  ]);
  expect(charged.read()).toBe('');
  charging.resolve('the answer');
  await charged.until('the answer');
  await turns();
  vi.advanceTimersByTime(300);
  await stopped;
  expect(lines).toMatchObject([{ streamsEnded: 0, requestsRefused: 2 }]);
});

test('a stream has as long to end as its process is given', async () => {
  served.server.close();
  await serve(createStoppableServer(app.fetch, log, 100_000));
  const { socket, until, read } = await open();
  socket.write(get('/stream'));
  await until('begun');
  const stopped = served.stop();
  vi.advanceTimersByTime(99_999);
  await turns();
  expect(read()).not.toContain('0\r\n\r\n');
  answer.resolve('the end');
  await until('the end');
  await stopped;
  expect(lines).toEqual([]);
});

test('a client that does not read holds up no stop', async () => {
  const { socket, until } = await open();
  socket.write(get('/stream'));
  await until('begun');
  socket.pause();
  const stopped = served.stop();
  answer.resolve('x'.repeat(50_000_000));
  await turns();
  vi.advanceTimersByTime(10_000);
  await turns();
  vi.advanceTimersByTime(3_800);
  await turns();
  vi.advanceTimersByTime(300);
  await stopped;
  expect(lines).toMatchObject([{ streamsEnded: 1, requestsRefused: 0 }]);
});
