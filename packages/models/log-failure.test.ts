import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createLog, type LogFields } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ScriptedUpstream, startUpstream } from '../../test/support/scripted-upstream.ts';
import type { Upstreams } from './circuit.ts';
import { tryUpstreams } from './retry.ts';
import { requestUpstream } from './upstream.ts';
import { addressOf } from './upstream-address.ts';

let upstream: ScriptedUpstream;
let model: Upstreams;
let now: number;
let lines: LogFields[];

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  now = 1_000_000;
  lines = [];
  model = { id: 'writer', upstream: { baseUrl: upstream.baseUrl, model: 'big-1' }, fallbacks: [] };
});

const deps = {
  clock: () => now,
  log: createLog((line) => void lines.push(JSON.parse(line))),
};

const ask = (): Promise<unknown> =>
  tryUpstreams(deps, model, (server) => requestUpstream(server, { path: '/x', body: '{}' })).catch(
    (error: unknown) => error,
  );

test('the line of a refused connection names model, address and cause', async () => {
  const gone = await startUpstream();
  await gone.close();
  model = { ...model, upstream: { baseUrl: gone.baseUrl, model: 'big-1' } };
  expect(await ask()).toMatchObject({ kind: 'broken' });
  expect(lines).toEqual([
    {
      time: expect.any(String),
      level: 'warn',
      message: 'upstream failed',
      model: 'writer',
      address: addressOf(gone),
      failure: 'broken',
      cause: 'ECONNREFUSED',
    },
  ]);
});

test('the log tells a server without TLS from an unreachable one', async () => {
  const plain = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  model.upstream.baseUrl = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
  await ask();
  expect(lines).toEqual([expect.objectContaining({ failure: 'broken', cause: 'EPROTO' })]);
  plain.close();
});

test('the log tells a spent quota from too many requests', async () => {
  upstream.script((wire) => wire.json(429, { error: { message: 'my diary', code: 'insufficient_quota' } }));
  await ask();
  expect(lines).toEqual([
    expect.objectContaining({ failure: 'busy', status: 429, code: 'insufficient_quota' }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('diary');
});

test('a repeated failure is logged once a minute, with the number of the others', async () => {
  upstream.script((wire) => wire.json(503, {}));
  for (const at of [0, 1, 59_999, 60_000, 60_001]) {
    now = 1_000_000 + at;
    await ask();
  }
  expect(lines.map(({ leftOut }) => leftOut)).toEqual([undefined, 2]);
});

test('a failure silences neither one of another kind nor one of another upstream', async () => {
  upstream.script(
    (wire) => wire.json(503, {}, { Connection: 'close' }),
    (wire) => wire.reset(),
    (wire) => wire.json(503, {}),
  );
  await ask();
  await ask();
  model = { ...model, id: 'other', upstream: { ...model.upstream } };
  await ask();
  expect(lines.map(({ model: id, failure }) => [id, failure])).toEqual([
    ['writer', 'busy'],
    ['writer', 'broken'],
    ['other', 'busy'],
  ]);
});

test('the log tells a failure after which a fallback answered from one without an answer', async () => {
  const second = await startUpstream();
  const fallback = { baseUrl: second.baseUrl, model: 'big-2' };
  model = { ...model, fallbacks: [fallback] };
  upstream.script((wire) => wire.json(503, {}));
  second.script(
    (wire) => wire.json(200, {}),
    (wire) => wire.json(500, {}),
  );
  await ask();
  await ask();
  expect(lines.map(({ message, address }) => [message, address])).toEqual([
    ['upstream failed, trying the next', addressOf(upstream)],
    ['upstream failed', addressOf(second)],
  ]);
  await second.close();
});
