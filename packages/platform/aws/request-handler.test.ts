import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import { once } from 'node:events';
import { type ClientRequest, createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { HttpRequest } from '@smithy/types';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startHttpsServer } from '../../../test/support/tls/https-server.ts';
import { createRequestHandler } from './request-handler.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function start(listener: RequestListener, address = '127.0.0.1') {
  const sockets = new Set<Socket>();
  const server = createServer(listener).on('connection', (socket) => sockets.add(socket));
  server.listen(0, address);
  await once(server, 'listening');
  const handler = createRequestHandler({
    connectMilliseconds: 2_000,
    waitMilliseconds: 10_000,
    answerMilliseconds: 5_000,
  });
  onTestFinished(() => {
    handler.destroy?.();
    server.closeAllConnections();
    server.close();
  });
  const request: HttpRequest = {
    method: 'POST',
    protocol: 'http:',
    hostname: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path: '/',
    query: {},
    headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem' },
    body: '{"a":"ä"}',
  };
  return { handler, request, sockets };
}

const bodyOf = (body: Uint8Array) => Buffer.from(body).toString('utf8');

test('an answer comes whole, with its status, and the connection serves again', async () => {
  const { handler, request, sockets } = await start(async (incoming, response) => {
    response.writeHead(400, { 'x-amzn-requestid': 'one' }).write(await text(incoming));
    setImmediate(() => response.end(String(incoming.headers['x-amz-target'])));
  });
  for (let round = 0; round < 2; round++) {
    const { response } = await handler.handle(request);
    expect(response.statusCode).toBe(400);
    expect(response.headers['x-amzn-requestid']).toBe('one');
    expect(bodyOf(response.body)).toBe('{"a":"ä"}DynamoDB_20120810.GetItem');
  }
  expect(sockets.size).toBe(1);
});

test('a service behind TLS must prove its name', async () => {
  await using server = await startHttpsServer('secret words');
  const { handler, request } = await start(() => {});
  vi.spyOn(dns, 'lookup').mockImplementation(((
    _: string,
    _options: object,
    done: (...answer: unknown[]) => void,
  ) => done(null, [{ address: '127.0.0.1', family: 4 }])) as typeof dns.lookup);
  const secure = { ...request, protocol: 'https:', port: server.port };
  await expect(handler.handle({ ...secure, hostname: 'secure.test' })).rejects.toThrow('certificate');
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, server.certificate]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  await expect(handler.handle({ ...secure, hostname: 'other.test' })).rejects.toThrow('altnames');
  const { response } = await handler.handle({ ...secure, hostname: 'secure.test' });
  expect(bodyOf(response.body)).toBe('secret words');
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

test.runIf(hasIpv6)('an address of IPv6 is one too', async () => {
  const { handler, request } = await start((_, response) => response.end('here'), '::1');
  const { response } = await handler.handle({ ...request, hostname: '[::1]' });
  expect(bodyOf(response.body)).toBe('here');
});

test('an answer whose body stalls is given up at its timeout, with an error that the SDK retries', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const begun = Promise.withResolvers<void>();
  const { handler, request } = await start((_, response) => {
    response.writeHead(200, { 'content-length': 9 }).write('half', () => begun.resolve());
  });
  const failed = expect(handler.handle(request)).rejects.toMatchObject({ name: 'TimeoutError' });
  await begun.promise;
  await vi.advanceTimersByTimeAsync(5_000);
  await failed;
});

test('a call may have a timeout of its own', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const arrived = Promise.withResolvers<() => void>();
  const { handler, request } = await start((_, response) => arrived.resolve(() => response.end('late')));
  const answer = handler.handle(request, { requestTimeout: 30_000 });
  const finish = await arrived.promise;
  await vi.advanceTimersByTimeAsync(20_000);
  finish();
  expect(bodyOf((await answer).response.body)).toBe('late');
});

test('an answer that breaks off is an error that the SDK retries', async () => {
  const { handler, request } = await start((incoming, response) => {
    response.writeHead(200, { 'content-length': 9 }).write('half', () => incoming.socket.destroy());
  });
  await expect(handler.handle(request)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a call that waits for a connection ends at its timeout too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const arrived = Promise.withResolvers<void>();
  const { handler, request, sockets } = await start(() => sockets.size === 200 && arrived.resolve());
  const held = Array.from({ length: 200 }, () => handler.handle(request, { requestTimeout: 60_000 }));
  const outcomes = Promise.allSettled(held);
  await arrived.promise;
  const queued = expect(handler.handle(request)).rejects.toMatchObject({ name: 'TimeoutError' });
  await vi.advanceTimersByTimeAsync(10_000);
  await queued;
  handler.destroy?.();
  expect((await outcomes).map(({ status }) => status)).toEqual(held.map(() => 'rejected'));
});

test('the wait for a connection does not count against the timeout of the call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const arrivals: (() => void)[] = [];
  let arrived = Promise.withResolvers<void>();
  const { handler, request } = await start((_, response) => {
    arrivals.push(() => response.end('late'));
    if (arrivals.length >= 200) arrived.resolve();
  });
  const held = Array.from({ length: 200 }, () => handler.handle(request, { requestTimeout: 60_000 }));
  await arrived.promise;
  const queued = handler.handle(request);
  queued.catch(() => {});
  await vi.advanceTimersByTimeAsync(9_000);
  arrived = Promise.withResolvers<void>();
  for (const answer of arrivals.splice(0)) answer();
  await Promise.all(held);
  while (arrivals.length === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(4_000);
  arrivals[0]?.();
  expect(bodyOf((await queued).response.body)).toBe('late');
});

test('a connection that nobody uses for a minute is closed', async () => {
  // Like DynamoDB, this server does not say how long it keeps a connection.
  const { handler, request, sockets } = await start((_, response) =>
    response.setHeader('Connection', 'keep-alive').end('here'),
  );
  const sent = Promise.withResolvers<ClientRequest>();
  const note = (message: unknown) => sent.resolve((message as { request: ClientRequest }).request);
  subscribe('http.client.request.start', note);
  onTestFinished(() => void unsubscribe('http.client.request.start', note));
  await handler.handle(request);
  const { socket } = await sent.promise;
  while (socket?.timeout !== 60_000) await new Promise(setImmediate);
  const [connection] = sockets;
  expect(connection?.closed).toBe(false);
  const closed = once(connection!, 'close');
  // Fake clocks do not control the timers inside Node.
  socket.emit('timeout');
  await closed;
});

test('a call that is called off ends at once, before or after it was sent', async () => {
  const controller = new AbortController();
  const { handler, request } = await start(() => controller.abort());
  const options = { abortSignal: controller.signal };
  await expect(handler.handle(request, options)).rejects.toMatchObject({ name: 'AbortError' });
  await expect(handler.handle(request, options)).rejects.toMatchObject({ name: 'AbortError' });
});
