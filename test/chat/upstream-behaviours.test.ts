import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import type { ScriptedUpstream, UpstreamScript } from '../support/scripted-upstream.ts';
import { behaviours, content, counted, stop } from './support/behaviours.ts';
import {
  type ChatService,
  chatCatalogue,
  readChunks,
  secretKey,
  startChatService,
} from './support/chat-service.ts';
import { done, event, hello, streams, upstreamUsage, usageChunk } from './support/chunks.ts';
import { useChat } from './support/use-chat.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const question = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Say hello' }] };

describe('a stream', () => {
  test.each(behaviours)(
    '$name',
    async ({ script, text = 'Hello', usage = upstreamUsage, broken = false }) => {
      upstream.script(script);
      const before = (await service.ledger()).length;
      service.clock.advance(1_000);
      const response = await service.post(question);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      const stream = readChunks(await response.text());
      expect(stream.text).toBe(text);
      expect(stream.done).toBe(true);
      expect(stream.raw).not.toContain(secretKey);

      const errors = stream.chunks.filter((one) => one.error);
      const chunks = stream.chunks.filter((one) => !one.error);
      expect(errors.map((one) => one.error?.code)).toEqual(broken ? ['upstream_failed'] : []);
      expect(stream.chunks.slice(chunks.length)).toEqual(errors);

      expect(chunks.every((one) => one.model === 'writer')).toBe(true);
      expect(chunks.filter((one) => 'usage' in one || 'impact' in one)).toEqual([chunks.at(-1)]);
      expect(chunks.at(-1)?.usage).toEqual(usage);
      expect(chunks.at(-1)?.choices).toEqual([
        { index: 0, delta: {}, finish_reason: broken ? null : 'stop' },
      ]);
      expect(chunks.filter((one) => one.choices[0]?.finish_reason)).toHaveLength(broken ? 0 : 1);
      expect(chunks.at(-1)?.impact?.energy.total).toBeGreaterThanOrEqual(1);

      const [entry, ...rest] = await service.ledger();
      expect(rest).toHaveLength(before);
      const { prompt_tokens: input, completion_tokens: output } = usage as typeof upstreamUsage;
      const cached = (usage as typeof upstreamUsage).prompt_tokens_details.cached_tokens;
      expect(entry).toMatchObject({
        kind: 'completion',
        model: 'writer',
        inputTokens: input,
        outputTokens: output,
        amountNanoEuro: -((input - cached) * 1000 + cached * 500 + output * 2000),
      });
    },
  );

  test('asks the upstream for usage, and retries without asking if the upstream refuses the option', async () => {
    const refuses: UpstreamScript = (wire) =>
      wire.json(422, {
        detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
      });
    upstream.script(refuses, streams(...content, stop, done));
    const fresh = await startChatService(chatCatalogue(upstream.baseUrl));
    try {
      const first = readChunks(await (await fresh.post(question)).text());
      expect(first.chunks.at(-1)?.usage).toEqual(counted);
      expect(upstream.requests.map(({ body }) => body.stream_options)).toEqual([
        { include_usage: true },
        undefined,
      ]);
      upstream.script(hello);
      await (await fresh.post(question)).text();
      expect(upstream.requests.map(({ body }) => body.stream_options)).toEqual([undefined]);
      // How long that is remembered was counted by a clock that has gone back since.
      fresh.clock.advance(-2 * 3_600_000);
      upstream.script(hello);
      await (await fresh.post(question)).text();
      expect(upstream.requests.map(({ body }) => body.stream_options)).toEqual([{ include_usage: true }]);
    } finally {
      await fresh.close();
    }
  });

  test('usage is still asked for after the upstream refused a stream option of the caller', async () => {
    const refuses: UpstreamScript = (wire) =>
      wire.json(422, { detail: [{ loc: ['body', 'stream_options', 'foo'], msg: 'Extra inputs' }] });
    upstream.script(refuses, hello);
    const fresh = await startChatService(chatCatalogue(upstream.baseUrl));
    try {
      await (await fresh.post({ ...question, stream_options: { foo: 1 } })).text();
      expect(upstream.requests.map(({ body }) => body.stream_options)).toEqual([
        { foo: 1, include_usage: true },
        { include_usage: true },
      ]);
      upstream.script(hello);
      await (await fresh.post(question)).text();
      expect(upstream.requests.map(({ body }) => body.stream_options)).toEqual([{ include_usage: true }]);
    } finally {
      await fresh.close();
    }
  });

  test.each([
    ['an event named error', 'event: error\ndata: {"message":"SECRET boom"}\n\n'],
    ['an error object without choices', event('{"object":"error","message":"SECRET sk-1"}')],
    ['an error after the finish_reason', `${stop}${event('{"object":"error","message":"SECRET sk-1"}')}`],
  ])("%s is a failure in the service's words, without the upstream's", async (_, failure) => {
    upstream.script(streams(...content, failure));
    const stream = readChunks(await (await service.post(question)).text());
    expect(stream.raw).not.toContain('SECRET');
    expect(stream.raw).toContain('"error"');
    expect(stream.raw).toMatch(/data: \[DONE\]\n\n$/);
  });

  test('has the other fields of the usage chunk and the charged usage on its last chunk', async () => {
    const details = { cached_tokens: 99, audio_tokens: 0 };
    const told = {
      prompt_tokens: 20,
      completion_tokens: 5,
      total_tokens: 25,
      prompt_tokens_details: details,
    };
    const more = { citations: ['https://example.com'], system_fingerprint: 'fp_7' };
    upstream.script(
      streams(...content, stop, event({ ...usageChunk, ...more, usage: told, impact: { energy: 1 } }), done),
    );
    service.clock.advance(1_000);
    const asked = { ...question, stream_options: { include_usage: true } };
    const separate = readChunks(await (await service.post(asked)).text()).chunks.at(-1);
    const { chunks } = readChunks(await (await service.post(question)).text());
    expect(separate?.choices).toEqual([]);
    expect(chunks.at(-1)?.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    for (const last of [separate, chunks.at(-1)])
      expect(last).toMatchObject({
        ...more,
        id: 'chatcmpl-up',
        model: 'writer',
        usage: { ...told, prompt_tokens_details: { cached_tokens: 20, audio_tokens: 0 } },
        impact: { energy: { unit: 'Wms' } },
      });
    expect((await service.ledger())[0]).toMatchObject({ inputTokens: 20, cachedInputTokens: 20 });
  });

  test.each([
    ['DeepSeek', { prompt_cache_hit_tokens: 12 }],
    ['Moonshot', { cached_tokens: 12 }],
  ])("has cached tokens where OpenAI's clients look for them, also those of %s", async (_, cached) => {
    const told = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25, ...cached };
    upstream.script(streams(...content, stop, event({ ...usageChunk, usage: told }), done));
    service.clock.advance(1_000);
    const { chunks } = readChunks(await (await service.post(question)).text());
    expect(chunks.at(-1)?.usage).toEqual({ ...told, prompt_tokens_details: { cached_tokens: 12 } });
    expect((await service.ledger())[0]).toMatchObject({ inputTokens: 20, cachedInputTokens: 12 });
  });

  test('passes on fields that it does not know, in their order', async () => {
    const odd =
      '{"id":"x","choices":[{"index":0,"delta":{"content":"A","seed":12345,"model":"inner"},"finish_reason":null}],"model":"upstream-writer","__proto__":{"a":1},"extra":1.5}';
    upstream.script(streams(event(odd), stop, done));
    const stream = readChunks(await (await service.post(question)).text());
    expect(stream.raw).toContain(event(odd.replace('"model":"upstream-writer"', '"model":"writer"')));
  });

  test('fails at an event that is longer than the limit', async () => {
    const half = 'x'.repeat(limits.streamEventCharacters / 2);
    upstream.script(streams(...content, `data: {"choices":[],"pad":"${half}`, half));
    const { chunks, text } = readChunks(await (await service.post(question)).text());
    expect([text, chunks.at(-1)?.error?.code]).toEqual(['Hello', 'upstream_failed']);
  });
});
