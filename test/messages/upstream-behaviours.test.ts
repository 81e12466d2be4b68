import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { behaviours, counted } from '../chat/support/behaviours.ts';
import {
  type ChatService,
  chatCatalogue,
  secretKey,
  startChatService,
} from '../chat/support/chat-service.ts';
import { streams, upstreamUsage } from '../chat/support/chunks.ts';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
/** One service in front of the upstream as a server of chat completions, and one that takes it for a server of Messages. */
let translated: ChatService;
let native: ChatService;

beforeAll(async () => {
  upstream = await startUpstream();
  const catalogue = chatCatalogue(upstream.baseUrl);
  translated = await startChatService(catalogue);
  const models = catalogue.models.map((model) => ({
    ...model,
    upstream: { ...model.upstream, api: 'messages' as const },
  }));
  native = await startChatService({ ...catalogue, models });
});
afterAll(async () => {
  await Promise.all([translated.close(), native.close()]);
  await upstream.close();
});

interface Expected {
  text?: string;
  usage?: object;
  broken?: boolean;
}

/** Asks as Anthropic's client does, which accumulates the events, and compares what it got and what was charged. */
async function expectAnswer(
  service: ChatService,
  script: UpstreamScript,
  { text = 'Hello', usage = upstreamUsage, broken = false }: Expected,
): Promise<void> {
  upstream.script(script);
  service.clock.advance(1_000);
  const client = new Anthropic({ baseURL: service.baseUrl, apiKey: service.key, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Say hello' }];
  const stream = client.messages.stream({ model: 'writer', max_tokens: 100, messages });
  let told: Anthropic.Message | undefined;
  stream.on('streamEvent', (_, snapshot) => {
    told = structuredClone(snapshot);
  });
  const error = await stream.done().then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(JSON.stringify([told, error])).not.toContain(secretKey);
  if (broken) expect(String(error)).toContain('The model stopped before its answer was complete.');
  else expect(error).toBeUndefined();
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = usage as typeof upstreamUsage;
  const { cached_tokens } = prompt_tokens_details;
  expect(told).toMatchObject({
    ...{ model: 'writer', role: 'assistant', stop_reason: broken ? null : 'end_turn' },
    content: [{ type: 'text', text }],
    usage: {
      input_tokens: prompt_tokens - cached_tokens,
      cache_read_input_tokens: cached_tokens,
      output_tokens: completion_tokens,
    },
  });
  expect((await service.ledger())[0]).toMatchObject({
    ...{ kind: 'completion', inputTokens: prompt_tokens, outputTokens: completion_tokens },
  });
}

test.each(behaviours)('an upstream of chat completions that sends $name', ({ script, ...expected }) =>
  expectAnswer(translated, script, expected),
);

const event = (data: { type: string; [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const delta = (text: string) =>
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const startWith = (usage: object) =>
  event({
    type: 'message_start',
    message: {
      ...{ id: 'msg_up', type: 'message', role: 'assistant', model: 'upstream-writer', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage },
    },
  });
const input = { input_tokens: 12, cache_read_input_tokens: 8 };
const start = startWith({ ...input, output_tokens: 1 });
const block = event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
const said = [block, delta('Hel'), delta('lo'), event({ type: 'content_block_stop', index: 0 })];
const endWith = (usage: object) =>
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
const end = endWith({ output_tokens: 5 });
const stop = event({ type: 'message_stop' });
const ping = event({ type: 'ping' });
const whole = [start, ping, ...said, end, stop].join('');
const cutEvery = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
/** The input as the upstream told it, and what was delivered as we count it. */
const half = { prompt_tokens: 20, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 8 } };

const nativeBehaviours: ({ name: string; script: UpstreamScript } & Expected)[] = [
  { name: 'the usual', script: streams(start, ping, ...said, end, stop) },
  { name: 'everything in one packet', script: streams(whole) },
  { name: 'packets of one byte', script: streams(...cutEvery(Buffer.from(whole), 1)) },
  { name: 'lines that end in CRLF', script: streams(whole.replaceAll('\n', '\r\n')) },
  { name: 'lines that end in CR', script: streams(whole.replaceAll('\n', '\r')) },
  {
    name: 'comments, ids, retries and events that nobody knows',
    script: streams(': x\n\nretry: 9\n', start, 'id: 7\n', event({ type: 'later' }), ...said, end, stop),
  },
  {
    name: 'pings before everything and between all events',
    script: streams(ping, start, ping, ...said.flatMap((each) => [ping, each]), ping, end, ping, stop),
  },
  { name: 'data without names of events', script: streams(whole.replaceAll(/event: .*\n/g, '')) },
  {
    name: 'usage at the end alone',
    script: streams(startWith({}), ...said, endWith({ ...input, output_tokens: 5 }), stop),
  },
  {
    name: 'usage several times, growing',
    script: streams(start, ...said, endWith({ output_tokens: 2 }), end, stop),
  },
  {
    name: 'an input of 0 at the end',
    script: streams(
      start,
      ...said,
      endWith({ input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 }),
      stop,
    ),
  },
  { name: 'usage never', script: streams(startWith({}), ...said, endWith({}), stop), usage: counted },
  {
    name: 'usage that is none',
    script: streams(startWith({ input_tokens: 'many' }), ...said, endWith({ output_tokens: -1 }), stop),
    usage: counted,
  },
  { name: 'no message_stop, but a reason', script: streams(start, ...said, end) },
  { name: 'neither message_stop nor a reason', script: streams(start, ...said), usage: half, broken: true },
  {
    name: 'an error in the middle of the stream',
    script: streams(
      start,
      ...said,
      event({ type: 'error', error: { type: 'overloaded_error', message: `bad key ${secretKey}` } }),
    ),
    ...{ usage: half, broken: true },
  },
  {
    name: 'something that is no JSON',
    script: streams(start, ...said, 'event: message_delta\ndata: <html>no</html>\n\n', stop),
    ...{ usage: half, broken: true },
  },
  {
    name: 'an upstream that dies in the middle of an event',
    async script(wire) {
      await wire.head();
      await wire.send(start, ...said, 'event: message_delta\ndata: {"type":"mess');
      wire.reset();
    },
    ...{ usage: half, broken: true },
  },
];

describe('an upstream of Messages', () => {
  test.each(nativeBehaviours)('that sends $name', ({ script, ...expected }) =>
    expectAnswer(native, script, expected),
  );
});

describe('a provider that refuses our key', () => {
  test.each([
    ['of chat completions', () => translated, false],
    ['of chat completions, in a stream', () => translated, true],
    ['of Messages', () => native, false],
    ['of Messages, in a stream', () => native, true],
  ] as const)('%s is an error that no client asks again', async (_, serviceOf, stream) => {
    upstream.script((wire) => wire.json(401, { error: { message: 'no' } }));
    const service = serviceOf();
    service.clock.advance(3_600_000);
    const client = new Anthropic({ baseURL: service.baseUrl, apiKey: service.key, maxRetries: 2 });
    const messages = [{ role: 'user' as const, content: 'Say hello' }];
    const asked = client.messages.create({ model: 'writer', max_tokens: 100, messages, stream });
    const error = (await asked.catch((reason: unknown) => reason)) as InstanceType<typeof Anthropic.APIError>;
    expect([error.status, error.type, error.headers?.get('x-should-retry')]).toEqual([
      503,
      'api_error',
      'false',
    ]);
    expect(error.message).toContain('its provider refuses this service');
    expect(upstream.requests).toHaveLength(1);
  });
});
