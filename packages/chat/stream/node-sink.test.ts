import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { limits } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withHeartbeat } from './heartbeat.ts';
import { createNodeSink } from './node-sink.ts';

const server = createServer();
let client: Socket;
let outgoing: ServerResponse;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  [, outgoing] = (await once(server, 'request')) as [unknown, ServerResponse];
});
afterEach(async () => {
  vi.useRealTimers();
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const megabyte = Buffer.alloc(1024 * 1024, 'x');

/** As much as the connection takes, and a little more. */
function fill(sink: ReturnType<typeof withHeartbeat>): void {
  while (sink.write(megabyte));
}

function pass(milliseconds: number): void {
  const step = limits.keepAliveMilliseconds;
  for (let passed = 0; passed < milliseconds; passed += step) vi.advanceTimersByTime(step);
}

test('a client that takes nothing for 60 s is cut off, though comments are written meanwhile', () => {
  fill(withHeartbeat(createNodeSink(outgoing, {})));
  pass(limits.streamStallMilliseconds - limits.keepAliveMilliseconds);
  expect(outgoing.destroyed).toBe(false);
  pass(limits.keepAliveMilliseconds);
  expect(outgoing.destroyed).toBe(true);
});

test('one that takes what there is in time has 60 s again', async () => {
  const sink = withHeartbeat(createNodeSink(outgoing, {}));
  fill(sink);
  pass(limits.streamStallMilliseconds - limits.keepAliveMilliseconds);
  const drained = once(outgoing, 'drain');
  client.resume();
  await drained;
  client.pause();
  fill(sink);
  pass(limits.streamStallMilliseconds - limits.keepAliveMilliseconds);
  expect(outgoing.destroyed).toBe(false);
  pass(limits.keepAliveMilliseconds);
  expect(outgoing.destroyed).toBe(true);
});
