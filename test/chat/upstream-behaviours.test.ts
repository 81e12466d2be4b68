import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import type { ScriptedUpstream, UpstreamScript } from '../support/scripted-upstream.ts';
import {
  type ChatService,
  chatCatalogue,
  readChunks,
  secretKey,
  startChatService,
} from './support/chat-service.ts';
import { chunk, done, event, hello, streams, upstreamUsage, usageChunk } from './support/chunks.ts';
import { useChat } from './support/use-chat.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const question = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Say hello' }] };

const content = [event(chunk({ role: 'assistant', content: 'Hel' })), event(chunk({ content: 'lo' }))];
const stop = event(chunk({}, 'stop'));
const whole = [...content, stop, event(usageChunk), done].join('');
const cutEvery = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
const accented = [event(chunk({ content: 'Grüße 漢字 👩‍🚀' })), stop, event(usageChunk), done].join('');

/** Counted by us with o200k: 3 + 3 + role + 'Say hello', and what was delivered. */
const counted = {
  prompt_tokens: 9,
  completion_tokens: 1,
  total_tokens: 10,
  prompt_tokens_details: { cached_tokens: 0 },
};

const reasoned = {
  prompt_tokens: 20,
  total_tokens: 51,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 30 },
};

interface Row {
  name: string;
  script: UpstreamScript;
  text?: string;
  usage?: object;
  broken?: boolean;
}

const rows: Row[] = [
  { name: 'the usual: usage after finish_reason, with empty choices', script: hello },
  { name: 'everything in one packet', script: streams(whole) },
  { name: 'packets of one byte', script: streams(...cutEvery(Buffer.from(whole), 1)) },
  {
    name: 'characters of several bytes, cut by packets',
    script: streams(...cutEvery(Buffer.from(accented), 3)),
    text: 'Grüße 漢字 👩‍🚀',
  },
  {
    name: 'lines that end in CRLF',
    script: streams(...cutEvery(Buffer.from(whole.replaceAll('\n', '\r\n')), 7)),
  },
  { name: 'lines that end in CR', script: streams(whole.replaceAll('\n', '\r')) },
  {
    name: 'comments, names, ids and retries between the events',
    script: streams(
      ': ping\n\n',
      'retry: 10\n',
      content[0] ?? '',
      ': x\n',
      'event: chunk\nid: 7\n',
      content[1] ?? '',
      stop,
      event(usageChunk),
      done,
    ),
  },
  {
    name: 'spaces as Python writes them, and none after the colon',
    script: streams(
      ...[chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop'), usageChunk].map(
        (one) => `data:${JSON.stringify(one, null, 1).replaceAll('\n', ' ')}\n\n`,
      ),
      'data:[DONE]\n\n',
    ),
  },
  {
    name: 'usage with finish_reason',
    script: streams(...content, event(chunk({}, 'stop', { usage: upstreamUsage })), done),
  },
  {
    name: 'usage second last, before the finish_reason',
    script: streams(...content, event(usageChunk), stop, done),
  },
  {
    name: 'usage null on every chunk but one',
    script: streams(
      ...['Hel', 'lo'].map((text) => event(chunk({ content: text }, null, { usage: null, extra: 'x' }))),
      event(chunk({}, 'stop', { usage: null })),
      event(usageChunk),
      done,
    ),
  },
  {
    name: 'usage several times, growing',
    script: streams(
      event(chunk({ content: 'Hel' }, null, { usage: { prompt_tokens: 20, completion_tokens: 1 } })),
      event(chunk({ content: 'lo' }, null, { usage: { prompt_tokens: 20, completion_tokens: 2 } })),
      event(chunk({}, 'stop', { usage: upstreamUsage })),
      event(usageChunk),
      done,
    ),
  },
  { name: 'usage never', script: streams(...content, stop, done), usage: counted },
  {
    name: 'usage that is none',
    script: streams(...content, stop, event({ ...usageChunk, usage: { tokens: 'many' } }), done),
    usage: counted,
  },
  {
    name: 'usage of the input alone',
    script: streams(...content, stop, event({ ...usageChunk, usage: { prompt_tokens: 20 } }), done),
    usage: counted,
  },
  {
    name: 'usage of the input alone after a full one',
    script: streams(
      ...content,
      stop,
      event(usageChunk),
      event({ ...usageChunk, usage: { prompt_tokens: 7 } }),
      done,
    ),
  },
  {
    name: 'usage that grows, and an upstream that dies before it is told to the end',
    script: async (wire) => {
      await wire.head();
      const usage = { prompt_tokens: 20, completion_tokens: 1 };
      await wire.send(event(chunk({ content: 'Hel' }, null, { usage })), content[1] ?? '');
      await wire.send(event(chunk({ content: ' to all of the world' })));
      wire.reset();
    },
    text: 'Hello to all of the world',
    usage: {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    broken: true,
  },
  {
    name: 'reasoning that is counted beside the completion',
    script: streams(
      ...content,
      stop,
      event({ ...usageChunk, usage: { ...reasoned, completion_tokens: 1 } }),
      done,
    ),
    usage: { ...reasoned, completion_tokens: 31 },
  },
  { name: 'no [DONE], but a finish_reason', script: streams(...content, stop, event(usageChunk)) },
  {
    name: 'a last line without its end',
    script: streams(...content, stop, event(usageChunk), 'data: [DONE]'),
  },
  { name: 'neither [DONE] nor finish_reason', script: streams(...content), usage: counted, broken: true },
  {
    name: 'an upstream that dies in the middle of a chunk',
    script: async (wire) => {
      await wire.head();
      await wire.send(...content, 'data: {"id":"chatcmpl-up","cho');
      wire.reset();
    },
    usage: counted,
    broken: true,
  },
  {
    name: 'an error in the middle of the stream',
    script: streams(...content, event({ error: { message: `bad key ${secretKey}`, code: 500 } })),
    usage: counted,
    broken: true,
  },
  {
    name: 'something that is no JSON',
    script: streams(...content, event('<html>no</html>'), done),
    usage: counted,
    broken: true,
  },
];

describe('a stream', () => {
  test.each(rows)('$name', async ({ script, text = 'Hello', usage = upstreamUsage, broken = false }) => {
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
    expect(chunks.at(-1)?.choices).toEqual([{ index: 0, delta: {}, finish_reason: broken ? null : 'stop' }]);
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
  });

  test('asks for usage, and asks without after an upstream that refuses to be asked', async () => {
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

  test("a caller's own stream option that is refused does not end the asking for usage", async () => {
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
  ])("%s is a failure in our words, and none of the upstream's", async (_, failure) => {
    upstream.script(streams(...content, failure));
    const stream = readChunks(await (await service.post(question)).text());
    expect(stream.raw).not.toContain('SECRET');
    expect(stream.raw).toContain('"error"');
    expect(stream.raw).toMatch(/data: \[DONE\]\n\n$/);
  });

  test('has on its last chunk what else the usage chunk said, and what is charged of its usage', async () => {
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
  ])("tells cached tokens where OpenAI's clients look for them, also those of %s", async (_, cached) => {
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

  test('has an event that is longer than the limit as a failure', async () => {
    const half = 'x'.repeat(limits.streamEventCharacters / 2);
    upstream.script(streams(...content, `data: {"choices":[],"pad":"${half}`, half));
    const { chunks, text } = readChunks(await (await service.post(question)).text());
    expect([text, chunks.at(-1)?.error?.code]).toEqual(['Hello', 'upstream_failed']);
  });
});
