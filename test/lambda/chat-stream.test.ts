import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { serve } from '../support/local-server.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import { simpleCatalogue } from '../support/service.ts';

let upstream: ScriptedUpstream;
let cloud: Cloud;
let chat: CloudFunction;

beforeAll(async () => {
  upstream = await startUpstream();
  cloud = await startCloud(simpleCatalogue(upstream.baseUrl));
  chat = await cloud.start('chat');
});

afterAll(async () => {
  expect(chat?.refused()).toEqual([]);
  await cloud?.stop();
  await upstream?.close();
});

const eventStream = { 'Content-Type': 'text/event-stream' };
const chunk = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'upstream-writer', choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`;
const usage = { usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } };

const ask = (options: { milliseconds?: number } = {}, of = chat) =>
  of.request('/v1/chat/completions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'writer', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    ...options,
  });

test('a chunk is sent on before the next chunk arrives; usage and impact come before the end', async () => {
  const second = Promise.withResolvers<void>();
  upstream.script(async (wire) => {
    await wire.head(200, eventStream);
    await wire.send(chunk({ delta: { role: 'assistant', content: 'First' } }));
    await second.promise;
    await wire.send(chunk({ delta: { content: ' second' } }));
    await wire.send(chunk({ delta: {}, finish_reason: 'stop' }, usage), 'data: [DONE]\n\n');
    wire.end();
  });
  const { statusCode, headers, pieces } = await ask();
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  let text = '';
  while (!text.includes('First')) text += (await pieces.next()).value;
  expect(text).not.toContain('second');
  second.resolve();
  for await (const piece of pieces) text += piece;
  const lines = text.split('\n\n').filter(Boolean);
  expect(lines.at(-1)).toBe('data: [DONE]');
  expect(JSON.parse(lines.at(-2)!.slice('data: '.length))).toMatchObject({
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
    impact: { version: expect.any(String) },
  });
});

test('the collector of spans is asked behind the response, which waits for none of it', async () => {
  await using collector = await serve(() => {});
  const traced = await cloud.start('chat', { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  upstream.script(async (wire) => {
    await wire.head(200, eventStream);
    await wire.send(chunk({ delta: {}, finish_reason: 'stop' }, usage), 'data: [DONE]\n\n');
    wire.end();
  });
  const { text } = await ask({}, traced);
  expect(await text()).toMatch(/data: \[DONE\]\n\n$/);
  await expect.poll(() => collector.connections()).toBe(1);
});

test('an upstream that breaks off is an error line and an end, and what was delivered is charged', async () => {
  upstream.script(async (wire) => {
    await wire.head(200, eventStream);
    await wire.send(chunk({ delta: { role: 'assistant', content: 'Half of' } }));
    wire.reset();
  });
  const response = await ask();
  const text = await response.text();
  expect(response.statusCode).toBe(200);
  expect(text).toContain('Half of');
  expect(text).toMatch(/data: \{"error":\{.*\}\}\n\ndata: \[DONE\]\n\n$/);
  expect(await response.failure).toBeUndefined();
  await expect.poll(() => chat.log().filter(({ message }) => message === 'charged')).toHaveLength(2);
});

test('an upstream that is busy is a 503 with Retry-After, and costs nothing', async () => {
  upstream.script((wire) => wire.json(429, { error: { message: 'slow down' } }));
  const { statusCode, headers, text } = await ask();
  expect([statusCode, headers['retry-after'], JSON.parse(await text()).error]).toEqual([
    503,
    '5',
    'Service temporarily at capacity. Please retry.',
  ]);
  expect(chat.log().filter(({ message }) => message === 'charged')).toHaveLength(2);
});

test('a stream that the invocation has no more time for ends with what was delivered, which is charged', async () => {
  upstream.script(async (wire) => {
    await wire.head(200, eventStream);
    await wire.send(chunk({ delta: { role: 'assistant', content: 'A long' } }));
  });
  const response = await ask({ milliseconds: limits.invocationEndMilliseconds + 2_000 });
  const text = await response.text();
  expect(text).toContain('A long');
  expect(text).toMatch(/"usage":.*\n\ndata: \{"error":\{.*"upstream_failed".*\}\}\n\ndata: \[DONE\]\n\n$/);
  expect(await response.failure).toBeUndefined();
  await expect.poll(() => chat.log().filter(({ message }) => message === 'charged')).toHaveLength(3);
});
