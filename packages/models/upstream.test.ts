import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type ScriptedUpstream, startUpstream } from '../../test/support/scripted-upstream.ts';
import { readBytes } from './read-bytes.ts';
import { requestUpstream } from './upstream.ts';

let upstream: ScriptedUpstream;
let server: { baseUrl: string; model: string };

beforeAll(async () => {
  upstream = await startUpstream();
  server = { baseUrl: upstream.baseUrl, model: 'm' };
});
afterEach(() => void vi.useRealTimers());
afterAll(() => upstream.close());

const ask = async () => {
  const response = await requestUpstream(server, { path: '/x', body: '{}' });
  return (await readBytes(response, { limitBytes: 1_000 })).toString();
};

test('connections are kept and used again', async () => {
  upstream.script((wire) => wire.json(200, 'ok'));
  const before = upstream.connections();
  for (let i = 0; i < 5; i++) expect(await ask()).toBe('ok');
  expect(upstream.connections() - before).toBeLessThanOrEqual(1);
});

test('a pooled connection that died is replaced without an error', async () => {
  upstream.script(
    (wire) => wire.json(200, 'one'),
    (wire) => wire.reset(),
    (wire) => wire.json(200, 'two'),
  );
  expect(await ask()).toBe('one');
  const before = upstream.connections();
  expect(await ask()).toBe('two');
  expect(upstream.requests).toHaveLength(3);
  expect(upstream.connections() - before).toBe(1);
});

test('a new connection that dies is a failure and not retried, because the upstream may have worked on the request', async () => {
  upstream.script((wire) => wire.reset());
  await expect(ask()).rejects.toMatchObject({ kind: 'broken' });
  expect(upstream.requests).toHaveLength(1);
});

test('an upstream that sends no head in time has failed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  upstream.script((wire) => {
    vi.advanceTimersByTime(1_000);
    return wire.json(200, 'late');
  });
  const asked = requestUpstream(server, { path: '/x', body: '{}', firstByteMilliseconds: 1_000 });
  await expect(asked).rejects.toMatchObject({ kind: 'timeout', unconnected: false });
});

test('a handshake that hangs is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const before = upstream.connections();
  const secure = { ...server, baseUrl: upstream.baseUrl.replace('http:', 'https:') };
  const asked = requestUpstream(secure, { path: '/x', body: '{}', connectMilliseconds: 1_000 });
  const failed = expect(asked).rejects.toMatchObject({ kind: 'timeout', unconnected: true });
  while (upstream.connections() === before) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(1_000);
  await failed;
});

test('an answer is read no further than its limit', async () => {
  upstream.script((wire) => wire.json(200, 'x'.repeat(1_001)));
  await expect(ask()).rejects.toMatchObject({ kind: 'unreadable' });
});

test('an answer 101, which nobody asked for, is a failure, and not a wait without end', async () => {
  upstream.script((wire) =>
    wire.send('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  );
  await expect(ask()).rejects.toThrow();
});

test.each([
  [{}, { authorization: 'Bearer sk-1' }],
  [{ api: 'responses' as const }, { authorization: 'Bearer sk-1' }],
  [{ keyHeader: 'x-api-key' as const }, { 'x-api-key': 'sk-1' }],
  [{ api: 'messages' as const }, { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' }],
  [
    { api: 'messages' as const, keyHeader: 'authorization' as const },
    { authorization: 'Bearer sk-1', 'anthropic-version': '2023-06-01' },
  ],
])('an upstream %j gets its key in one header: %j', async (how, expected) => {
  upstream.script((wire) => wire.json(200, 'ok'));
  const response = await requestUpstream({ ...server, ...how, apiKey: 'sk-1' }, { path: '/x', body: '{}' });
  await readBytes(response, { limitBytes: 1_000 });
  const { authorization, 'x-api-key': key, 'anthropic-version': version } = upstream.requests[0]!.headers;
  const sent = { authorization, 'x-api-key': key, 'anthropic-version': version };
  expect(sent).toEqual({
    authorization: undefined,
    'x-api-key': undefined,
    'anthropic-version': undefined,
    ...expected,
  });
});
