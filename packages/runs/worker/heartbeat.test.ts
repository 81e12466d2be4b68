import { createLog } from '@errand/platform';
import { afterEach, expect, test, vi } from 'vitest';
import { createRunSignals } from '../signals.ts';
import type { WorkerDeps } from './deps.ts';
import { startHeartbeat } from './heartbeat.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a message and a lease that fail at every beat are each logged once, and the work goes on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const lines: Record<string, unknown>[] = [];
  const deps = {
    log: createLog((line) => void lines.push(JSON.parse(line))),
    signals: createRunSignals(),
    leaseMilliseconds: 6_000,
    clock: () => 0,
    tables: { runs: 'Runs' },
    dynamodb: { send: () => Promise.reject(Object.assign(new Error('no table'), { code: 'ECONNREFUSED' })) },
  } as unknown as WorkerDeps;
  const keepMessage = vi.fn(() => Promise.reject(Object.assign(new Error('no message'), { code: 'gone' })));
  const work = new AbortController();
  const stop = startHeartbeat(deps, { agentId: 'a', token: 't', keepMessage }, work);
  await vi.advanceTimersByTimeAsync(20_000);
  await stop();
  expect(keepMessage.mock.calls.length).toBe(10);
  const told = lines.map(({ message, part, code }) => ({ message, part, code }));
  expect(told).toEqual([
    { message: 'heartbeat failed', part: 'message', code: 'gone' },
    { message: 'heartbeat failed', part: 'lease', code: 'ECONNREFUSED' },
  ]);
  expect(work.signal.aborted).toBe(false);
});
