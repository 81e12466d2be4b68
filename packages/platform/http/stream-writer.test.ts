import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { createStreamWriter, keepAliveComment, type StreamWriter } from './stream-writer.ts';
import { writePause } from './write-pause.ts';

vi.mock('./write-pause.ts');

/** A writable and its reader, which takes nothing until it is told to. */
interface Connection {
  out: Writable;
  read(): void;
  pause(): void;
  /** Resolves with everything that was written, once the writable has ended. */
  readAll(): Promise<string>;
  leave(): void;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A client's connection to a Node server. */
async function openNode(server: Server): Promise<Connection> {
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => {}).end();
  const [, out] = (await once(server, 'request')) as [unknown, ServerResponse];
  out.writeHead(200).flushHeaders();
  const [response] = (await once(client, 'response')) as [IncomingMessage];
  return connectionOf(
    out,
    response.on('error', () => {}),
    () => client.destroy(),
  );
}

/** Lambda's response stream, made as runtime clients make it: a request that a Lambda server reads. */
async function openLambda(server: Server): Promise<Connection> {
  const { port } = server.address() as AddressInfo;
  const upload: ClientRequest = request({ port, host: '127.0.0.1', method: 'POST' });
  upload.on('error', () => {}).flushHeaders();
  const out = new Writable({
    write: (piece, encoding, taken) => void upload.write(piece, encoding, taken),
    final: (ended) => void upload.end(ended),
  });
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  return connectionOf(
    out,
    incoming.on('error', () => {}),
    () => incoming.destroy(),
  );
}

const connectionOf = (out: Writable, reader: IncomingMessage, leave: () => void): Connection => ({
  out,
  read: () => void reader.resume(),
  pause: () => void reader.pause(),
  readAll: () => text(reader),
  leave,
});

const kilobytes = 'x'.repeat(256 * 1024);

/** Writes a little more than the connection takes. */
async function fill(writer: StreamWriter): Promise<void> {
  while (writer.write(kilobytes)) await turn();
}

function pass(milliseconds: number): void {
  const step = limits.keepAliveMilliseconds;
  for (let passed = 0; passed < milliseconds; passed += step) vi.advanceTimersByTime(step);
}

describe.each([
  ['a Node server', openNode],
  ["Lambda's response stream", openLambda],
])('on %s', (_, open) => {
  let server: Server;
  let connection: Connection;

  beforeEach(async () => {
    vi.mocked(writePause).mockReturnValue(0);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    connection = await open(server);
  });
  afterEach(async () => {
    vi.useRealTimers();
    connection.leave();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('texts of one turn share a write, and a text of the next turn waits for nothing', async () => {
    const { out } = connection;
    const writes = vi.spyOn(out, 'write');
    const writer = createStreamWriter(out);
    writer.write('a');
    writer.write('b');
    await turn();
    writer.write('c');
    await turn();
    expect(writes.mock.calls.map(([written]) => written)).toEqual(['ab', 'c']);
    writer.write('d');
    writer.end();
    expect(await connection.readAll()).toBe('abcd');
  });

  const writesOf = (out: Writable) => {
    const writes = vi.spyOn(out, 'write');
    return () => writes.mock.calls.map(([written]) => written);
  };

  test('in a busy process every second of texts that closely follow each other waits for the next', async () => {
    vi.mocked(writePause).mockReturnValue(limits.busyWriteMilliseconds);
    const writes = writesOf(connection.out);
    const writer = createStreamWriter(connection.out);
    vi.advanceTimersByTime(limits.busyWriteMilliseconds);
    for (const piece of ['a', 'b', 'c', 'd']) {
      writer.write(piece);
      await turn();
    }
    expect(writes()).toEqual(['a', 'bc']);
    vi.advanceTimersByTime(limits.busyWriteMilliseconds);
    expect(writes()).toEqual(['a', 'bc', 'd']);
    writer.end();
  });

  test('in a full process all that comes within 5 ms of a write waits', async () => {
    vi.mocked(writePause).mockReturnValue(limits.fullWriteMilliseconds);
    const writes = writesOf(connection.out);
    const writer = createStreamWriter(connection.out);
    vi.advanceTimersByTime(limits.fullWriteMilliseconds);
    for (const piece of ['a', 'b', 'c', 'd']) {
      writer.write(piece);
      await turn();
    }
    expect(writes()).toEqual(['a']);
    vi.advanceTimersByTime(limits.fullWriteMilliseconds);
    expect(writes()).toEqual(['a', 'bcd']);
    writer.end();
  });

  test('a silent stream gets comments until its end', async () => {
    const writer = createStreamWriter(connection.out);
    vi.advanceTimersByTime(limits.keepAliveMilliseconds - 1);
    writer.write('a');
    await turn();
    vi.advanceTimersByTime(limits.keepAliveMilliseconds - 1);
    await turn();
    vi.advanceTimersByTime(1);
    await turn();
    vi.advanceTimersByTime(limits.keepAliveMilliseconds);
    await turn();
    writer.end();
    expect(await connection.readAll()).toBe(`a${keepAliveComment}${keepAliveComment}`);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a text of many pieces arrives whole, also where a piece would end within a character', async () => {
    const long = `${'x'.repeat(64 * 1024 - 1)}${'😀'.repeat(100_000)}`;
    const writer = createStreamWriter(connection.out);
    writer.write(long);
    writer.write('last');
    void writer.end();
    expect(await connection.readAll()).toBe(`${long}last`);
  });

  test('a client that reads slowly is not cut off, however long one text takes', async () => {
    const writer = createStreamWriter(connection.out);
    const drains = vi.fn();
    connection.out.on('drain', drains);
    writer.write('x'.repeat(32 * 1024 * 1024));
    await turn();
    // The connection takes a part each time; after each a good while passes.
    for (let i = 0; i < 3; i++) {
      const before = drains.mock.calls.length;
      connection.read();
      while (drains.mock.calls.length === before) await turn();
      connection.pause();
      for (let j = 0; j < 20; j++) await turn();
      pass(limits.streamStallMilliseconds - limits.keepAliveMilliseconds);
      expect(writer.left()).toBe(false);
    }
  });

  test('a caller that waits for room gets it, even if text that came meanwhile fills the connection again', async () => {
    const writer = createStreamWriter(connection.out);
    await fill(writer);
    writer.write('x'.repeat(8 * 1024 * 1024));
    const drained = writer.drained();
    connection.read();
    await drained;
    expect(writer.left()).toBe(false);
  });

  test('a client that reads nothing holds the writer back until it reads, and loses nothing', async () => {
    const writer = createStreamWriter(connection.out);
    let written = 1;
    while (writer.write(kilobytes)) {
      written++;
      await turn();
    }
    const drained = writer.drained().then(() => writer.end());
    const all = connection.readAll();
    await drained;
    expect((await all).length).toBe(written * kilobytes.length);
    expect(writer.left()).toBe(false);
  });

  test('a client that reads nothing for too long is cut off, even if comments are due meanwhile', async () => {
    const writer = createStreamWriter(connection.out);
    await fill(writer);
    pass(limits.streamStallMilliseconds - limits.keepAliveMilliseconds);
    expect(connection.out.destroyed).toBe(false);
    pass(limits.keepAliveMilliseconds);
    expect(connection.out.destroyed).toBe(true);
    await writer.drained();
    expect(writer.left()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a client can be cut off while it does not read what was written, but not while it reads', async () => {
    const writer = createStreamWriter(connection.out);
    writer.write('x');
    await turn();
    writer.cutOffIfFull();
    expect([connection.out.destroyed, writer.left()]).toEqual([false, false]);
    await fill(writer);
    const drained = writer.drained();
    writer.cutOffIfFull();
    await drained;
    expect([connection.out.destroyed, writer.left()]).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a client that reads in time has the whole timeout again', async () => {
    const writer = createStreamWriter(connection.out);
    await fill(writer);
    pass(limits.streamStallMilliseconds - limits.keepAliveMilliseconds);
    connection.read();
    await writer.drained();
    connection.pause();
    await fill(writer);
    pass(limits.streamStallMilliseconds - limits.keepAliveMilliseconds);
    expect(connection.out.destroyed).toBe(false);
    pass(limits.keepAliveMilliseconds);
    expect(connection.out.destroyed).toBe(true);
  });

  test('a client that leaves is noticed, and later writes are dropped', async () => {
    const writer = createStreamWriter(connection.out);
    const onLeave = vi.fn();
    writer.onLeave(onLeave);
    connection.leave();
    while (!writer.left()) {
      writer.write('x');
      await turn();
    }
    expect(writer.write('x')).toBe(false);
    await writer.drained();
    writer.end();
    expect(onLeave).toHaveBeenCalledOnce();
  });
});

test('a stream that ends does not count as a client that left', async () => {
  const out = new Writable({ write: (_piece, _encoding, taken) => taken() });
  const writer = createStreamWriter(out);
  writer.write('x');
  writer.end();
  await once(out, 'close');
  expect(writer.left()).toBe(false);
});
