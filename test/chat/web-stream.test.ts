import { expect, test } from 'vitest';
import type { ScriptedUpstream, Wire } from '../support/scripted-upstream.ts';
import { type ChatService, readChunks } from './support/chat-service.ts';
import { answersPlainly, chunk, event, hello, streams, upstreamUsage } from './support/chunks.ts';
import { useChat } from './support/use-chat.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

/** As on Lambda: a web request in, a web response out, no Node response at hand. */
const post = (stream: boolean) =>
  service.app.request('/v1/chat/completions', {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}` },
    body: JSON.stringify({ model: 'writer', stream, messages: [{ role: 'user', content: 'Say hello' }] }),
  });

test('streams where there is no Node response', async () => {
  upstream.script(hello);
  const response = await post(true);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const stream = readChunks(await response.text());
  expect(stream.text).toBe('Hello');
  expect(stream.chunks.at(-1)?.usage).toEqual(upstreamUsage);
  expect(stream.done).toBe(true);
});

test('plain answers and refusals work where there is no Node response', async () => {
  upstream.script(answersPlainly);
  expect(await (await post(false)).json()).toMatchObject({ model: 'writer', usage: upstreamUsage });
  upstream.script((wire) => wire.reset());
  expect((await post(true)).status).toBe(503);
});

test('a reader that is slower than the upstream loses nothing', async () => {
  const text = 'x'.repeat(50_000);
  upstream.script(
    streams(
      ...Array.from({ length: 40 }, () => event(chunk({ content: text }))),
      event(chunk({}, 'stop')),
      'data: [DONE]\n\n',
    ),
  );
  const response = await post(true);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(
    readChunks(Buffer.concat(parts).toString()).chunks.filter(
      (one) => one.choices[0]?.delta.content === text,
    ),
  ).toHaveLength(40);
});

test('a reader that cancels stops the upstream', async () => {
  const arrived = Promise.withResolvers<Wire>();
  upstream.script(async (wire) => {
    await wire.head();
    await wire.send(event(chunk({ content: 'Hello' })));
    arrived.resolve(wire);
  });
  const response = await post(true);
  await response.body?.cancel();
  await (await arrived.promise).closed;
});
