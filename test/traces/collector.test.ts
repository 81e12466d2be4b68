import { createLog, createSpanExporter, type LogFields, limits, type Span } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, sendJson } from '../support/local-server.ts';
import { setLimit } from '../support/set-limit.ts';
import { type Collector, startCollector } from './support/collector.ts';

let collector: Collector;
let now: number;
let log: LogFields[];

beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());
beforeEach(() => {
  now = 1_800_000_000_000;
  log = [];
  collector.reply(undefined);
  collector.spans().length = 0;
  // Batches are sent by the tests.
  setLimit('spanBatchMilliseconds', 600_000);
});

/** The time of an attempt is that of the service only where a collector does not answer. */
const withoutHurry = () => setLimit('spanSendMilliseconds', 600_000);

const exporter = (endpoint = collector.url) =>
  createSpanExporter({
    clock: () => now,
    log: createLog((line) => log.push(JSON.parse(line))),
    traces: { endpoint, headers: { 'x-key': 'a secret' }, propagate: false, captureContent: false },
    namespace: 'Errand/test',
  });

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');

const spans = (count: number, first = 1): Span[] =>
  Array.from({ length: count }, (_, i) => ({
    traceId: hex(first + i, 32),
    spanId: hex(first + i, 16),
    parentSpanId: undefined,
    name: 'chat writer',
    kind: 'client',
    startMilliseconds: now,
    endMilliseconds: now + 5,
    attributes: { 'gen_ai.operation.name': 'chat' },
  }));

const numbers = () => collector.spans().map(({ spanId }) => Number.parseInt(spanId, 16));
const numbered = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('spans are sent as the protocol has it, with the headers that are set, in requests of a bounded size', async () => {
  withoutHurry();
  const { add, flush } = exporter(`${collector.url}/api/public/otel`);
  setLimit('spansPerRequest', 10);
  const before = collector.received.length;
  add(spans(5));
  add(spans(20, 6));
  await flush();
  expect(numbers()).toEqual(numbered(1, 25));
  const requests = collector.received.slice(before);
  expect(requests.map(({ path }) => path)).toEqual(Array(3).fill('/api/public/otel/v1/traces'));
  expect(requests[0]?.headers).toMatchObject({ 'x-key': 'a secret', 'content-type': 'application/json' });
  expect(log).toEqual([]);
});

test('a batch is sent by itself once it is full, or after its time', async () => {
  withoutHurry();
  setLimit('spansPerRequest', 10);
  setLimit('spanBatchMilliseconds', 1);
  const { add } = exporter();
  add(spans(3));
  await expect.poll(numbers).toEqual(numbered(1, 3));
  setLimit('spanBatchMilliseconds', 600_000);
  add(spans(10, 4));
  await expect.poll(numbers).toEqual(numbered(1, 13));
});

test('of a batch that a collector takes in part, what it refuses counts as dropped, and the next batch is sent at once', async () => {
  withoutHurry();
  const { add, flush } = exporter();
  collector.reply((_, response) => sendJson(response, 200, { partialSuccess: { rejectedSpans: '1' } }));
  add(spans(3));
  await flush();
  expect(log).toMatchObject([{ message: 'spans not sent', rejected: 1, held: 0, dropped: 1 }]);
  collector.reply(undefined);
  add(spans(1, 4));
  await flush();
  expect(numbers().at(-1)).toBe(4);
});

test('a collector that refuses spans of every batch is one line a minute', async () => {
  withoutHurry();
  const { add, flush } = exporter();
  collector.reply((_, response) => sendJson(response, 200, { partialSuccess: { rejectedSpans: '1' } }));
  for (let i = 0; i < 5; i++) {
    add(spans(3));
    await flush();
  }
  expect(log).toMatchObject([{ message: 'spans not sent', status: 200, rejected: 1, dropped: 1 }]);
  now += limits.spanPauseMilliseconds;
  add(spans(3));
  await flush();
  expect(log.slice(1)).toMatchObject([{ message: 'spans not sent', rejected: 1, held: 0, dropped: 5 }]);
});

test.each([202, 204])('a collector that answers %i has taken the spans', async (status) => {
  withoutHurry();
  const { add, flush } = exporter();
  const before = collector.connections();
  collector.reply((_, response) => void response.writeHead(status).end());
  for (let i = 0; i < 2; i++) {
    add(spans(1));
    await flush();
  }
  expect(collector.connections() - before).toBe(2);
  expect(log).toEqual([]);
});

test('a collector whose TLS fails is told nothing, and gets the spans once it works', async () => {
  withoutHurry();
  const { add, flush } = exporter(collector.url.replace('http:', 'https:'));
  const before = collector.received.length;
  add(spans(2));
  await flush();
  await flush();
  expect(collector.received).toHaveLength(before);
  expect(log).toMatchObject([{ message: 'spans not sent', code: 'EPROTO', held: 2, dropped: 0 }]);
  expect(JSON.stringify(log)).not.toContain('a secret');
});

test('spans that come faster than they are sent are dropped, the oldest first, and one line counts them', async () => {
  withoutHurry();
  setLimit('spansHeld', 10);
  const { add, flush } = exporter();
  add(spans(15));
  await flush();
  expect(numbers()).toEqual(numbered(6, 15));
  expect(log).toMatchObject([{ message: 'spans not sent', held: 0, dropped: 5 }]);
});

const troubles: Record<string, Reply> = {
  hangs: () => {},
  'sends its answer by drops': (_, response) => void response.writeHead(200).write('{'),
  'breaks off': (_, response) => void response.destroy(),
  'answers 101': (_, { socket }) =>
    void socket?.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ),
  'answers 429': (_, response) => sendJson(response, 429, {}),
  'answers 503': (_, response) => sendJson(response, 503, {}),
};

describe.each(Object.entries(troubles))('a collector that %s', (_, reply) => {
  test('costs one attempt and one line a minute, and gets a bounded number of spans once it works again', async () => {
    setLimit('spansHeld', 50);
    setLimit('spansPerRequest', 20);
    const { add, flush } = exporter();
    collector.reply(reply);
    const before = collector.connections();
    for (let i = 0; i < 10; i++) {
      add(spans(10, 1 + 10 * i));
      await flush();
    }
    expect(collector.connections() - before).toBe(1);
    expect(log).toMatchObject([{ level: 'warn', message: 'spans not sent', held: 10, dropped: 0 }]);
    collector.reply(undefined);
    now += limits.spanPauseMilliseconds;
    withoutHurry();
    await flush();
    expect(numbers()).toEqual(numbered(51, 100));
    expect(log.slice(1)).toMatchObject([{ message: 'spans not sent', held: 0, dropped: 50 }]);
  });
});

test('a collector that is not there costs no more than one that fails', async () => {
  const gone = await startCollector();
  await gone.close();
  withoutHurry();
  const { add, flush } = exporter(gone.url);
  add(spans(1));
  await flush();
  await flush();
  expect(log).toMatchObject([{ message: 'spans not sent', code: 'ECONNREFUSED', held: 1 }]);
});

test.each([
  [400, {}, {}],
  [401, {}, {}],
  [302, {}, {}],
  [200, { partialSuccess: { rejectedSpans: '2', errorMessage: 'no' } }, { rejected: 2 }],
])('spans that a collector does not want (%i) are not sent again', async (status, answer, more) => {
  withoutHurry();
  const { add, flush } = exporter();
  collector.reply((_, response) => sendJson(response, status, answer));
  add(spans(2));
  await flush();
  expect(log).toMatchObject([{ message: 'spans not sent', status, held: 0, dropped: 2, ...more }]);
  collector.reply(undefined);
  now += limits.spanPauseMilliseconds;
  add(spans(1, 3));
  await flush();
  expect(numbers()).toEqual([3]);
});
