import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announce, type RunningService, runningService } from './service-file.ts';
import { watchAws } from './watch-aws.ts';

let folder: string;
let queue: Server;
let service: RunningService;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'errand-watch-'));
  queue = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(queue, 'listening');
  const url = `http://127.0.0.1:${(queue.address() as AddressInfo).port}`;
  await announce(folder, { pid: process.pid, endpoints: { dynamodb: url, sqs: url, s3: url } });
  service = (await runningService(folder))!;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  queue.close();
  await rm(folder, { recursive: true });
});

/** Lets the timer fire `times` times, each time after the previous check has ended. */
async function look(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    vi.advanceTimersByTime(2_000);
    await runningService(folder);
    await new Promise(setImmediate);
  }
}

test('a part whose AWS still runs is left alone', async () => {
  const part = watchAws(folder, service, () => expect.unreachable());
  await look(5);
  await part.stop();
});

test.each([
  ['has stopped', () => void queue.close()],
  [
    'was started again at other addresses',
    () =>
      announce(folder, { endpoints: { ...service.endpoints, s3: 'http://127.0.0.1:9' } }).then(
        () => undefined,
      ),
  ],
])('an embedded AWS that %s is reported once', async (_, change) => {
  const reasons: string[] = [];
  watchAws(folder, service, (reason) => void reasons.push(reason));
  await change();
  await look(8);
  expect(reasons).toEqual([expect.stringContaining('has ended')]);
});

test('a part that was stopped gets no call', async () => {
  const part = watchAws(folder, service, () => expect.unreachable());
  queue.close();
  await look(2);
  await part.stop();
  await look(5);
});
