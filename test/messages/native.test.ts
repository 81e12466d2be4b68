import Anthropic from '@anthropic-ai/sdk';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatService, chatCatalogue, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly, chunk, done, event, streams, usageChunk } from '../chat/support/chunks.ts';
import {
  type Block,
  eventsOf,
  type MessageServer,
  says,
  startMessageServer,
  streamOf,
  text,
} from '../support/message-server.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

let upstream: MessageServer;
let fallback: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  [upstream, fallback] = await Promise.all([startMessageServer(), startUpstream()]);
  const catalogue = chatCatalogue(upstream.baseUrl, [fallback.baseUrl]);
  for (const model of catalogue.models) model.upstream.api = 'messages';
  const numbers = { ...catalogue.models[1]!, id: 'numbers' };
  numbers.upstream = { ...numbers.upstream, baseUrl: fallback.baseUrl };
  catalogue.models.push(numbers);
  service = await startChatService(catalogue);
});

afterAll(async () => {
  await service.close();
  await Promise.all([upstream.close(), fallback.close()]);
});

const client = () => new Anthropic({ baseURL: service.baseUrl, apiKey: service.key, maxRetries: 0 });
/** A request of any fields. */
const ask = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'eyes', max_tokens: 100, messages: [hi], ...body }),
  });

const hi = { role: 'user' as const, content: 'Hi' };
const usage = {
  ...{ input_tokens: 20, cache_read_input_tokens: 8, cache_creation_input_tokens: 4, output_tokens: 5 },
  cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 0 },
  service_tier: 'standard',
};
const thought = { type: 'thinking', thinking: 'Hm, hm', signature: 'sig-of-the-upstream' };
const sealed = { type: 'redacted_thinking', data: 'sealed-by-the-upstream' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'left' } };
const working = {
  content: [thought, sealed, text('Let me look.'), call],
  usage,
  more: { container: { id: 'c' } },
};
const tools = [{ name: 'look', input_schema: { type: 'object' as const } }];

describe('a message of an upstream that has Messages', () => {
  test('comes with our id, model, numbers and marks, and as it is otherwise', async () => {
    upstream.script(() => working);
    const message = (await client().messages.create({
      ...{ model: 'writer', max_tokens: 100, messages: [hi], tools },
    })) as unknown as Record<string, unknown>;
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      ...{ type: 'message', role: 'assistant', model: 'writer', stop_reason: 'tool_use' },
      ...{ container: { id: 'c' }, usage },
      content: [
        { ...thought, signature: expect.stringMatching(/^errand_[0-9a-f]{8}_nsig-of-the-upstream$/) },
        { ...sealed, data: expect.stringMatching(/^errand_[0-9a-f]{8}_nsealed-by-the-upstream$/) },
        ...working.content.slice(2),
      ],
    });
    expect(message).toHaveProperty('impact.version');
    expect(await service.ledger()).toContainEqual(
      expect.objectContaining({ kind: 'completion', inputTokens: 32, cachedInputTokens: 8, outputTokens: 5 }),
    );
  });

  test('that has a block which is none is answered without it, as it is charged', async () => {
    const odd = [null, text('Hi')] as Block[];
    upstream.script(() => ({ ...says('Hi'), more: { content: odd } }));
    const response = await ask({});
    expect([response.status, await response.json()]).toMatchObject([200, { content: [text('Hi')] }]);
  });

  test('costs what the provider bills for a summary beside it', async () => {
    const summary = { ...usage, type: 'compaction', input_tokens: 1_000, output_tokens: 300 };
    upstream.script(() => ({ ...says('ok'), usage: { ...usage, iterations: [summary] } }));
    const counts = { input_tokens: 1_020, cache_read_input_tokens: 16, output_tokens: 305 };
    expect(await (await ask({})).json()).toMatchObject({ usage: { ...counts, iterations: [summary] } });
    expect(await service.ledger()).toContainEqual(
      expect.objectContaining({ inputTokens: 1_044, cachedInputTokens: 16, outputTokens: 305 }),
    );
  });

  test('comes in events as it comes in one piece, with what it costs at the end', async () => {
    upstream.script(() => working);
    const asked = { model: 'writer', max_tokens: 100, messages: [hi], tools };
    const [whole, streamed] = [
      await client().messages.create(asked),
      await client().messages.stream(asked).finalMessage(),
    ];
    const plain = (message: object) => ({
      ...message,
      ...{ id: '', usage: undefined, impact: undefined, parsed_output: undefined },
    });
    expect(plain(streamed)).toEqual(plain(whole));
    const { cache_creation: _, service_tier: __, ...counts } = usage;
    expect(streamed.usage).toMatchObject(counts);
    const sent = await (await ask({ stream: true, model: 'writer', tools })).text();
    expect(sent).toMatch(/^event: message_start\n/);
    expect(sent.match(/event: message_(start|delta|stop)/g)).toHaveLength(3);
    expect(sent).toMatch(/event: message_delta\ndata: .*"impact":\{.*\n\nevent: message_stop\n/);
    expect(sent).toContain('"service_tier":"standard"');
    expect(sent).not.toMatch(/upstream-writer|msg_up/);
  });

  test('has thinking that goes back to its own model alone', async () => {
    upstream.script((_, number) => (number === 1 ? working : says('A dot.')));
    const first = (await (await ask({ model: 'writer', tools })).json()) as { content: Block[] };
    const foreign = [
      { type: 'thinking', thinking: 'Made of text', signature: 'errand_00000000_m' },
      { type: 'thinking', thinking: 'Another model', signature: 'errand_00000000_nsig' },
    ];
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'a dot' };
    const messages = [
      hi,
      { role: 'assistant', content: foreign },
      { role: 'assistant', content: [...foreign, ...first.content] },
      { role: 'user', content: [result] },
    ];
    expect((await ask({ model: 'writer', tools, messages })).status).toBe(200);
    expect(upstream.refused).toEqual([]);
    expect(upstream.requests[1]?.body.messages).toEqual([
      hi,
      { role: 'assistant', content: working.content },
      messages[3],
    ]);
    const elsewhere = await ask({ model: 'eyes', tools, messages });
    expect([elsewhere.status, upstream.refused]).toEqual([200, []]);
    expect(upstream.requests[2]?.body.messages[1]?.content).toEqual(working.content.slice(2));
    const unmarked = { role: 'assistant', content: [{ ...thought, signature: 'from-elsewhere' }] };
    expect((await ask({ messages: [hi, unmarked, hi] })).status).toBe(400);
  });
});

describe('a request for an upstream that has Messages', () => {
  test('goes there with its fields, headers and blocks, also those of betas', async () => {
    upstream.script(() => says('ok'));
    const body = {
      system: [text('First.'), { ...text('Second.'), cache_control: { type: 'ephemeral' } }],
      messages: [hi, { role: 'system', content: 'It is late.' }],
      tools: [{ ...tools[0], defer_loading: true, eager_input_streaming: true }],
      ...{ tool_choice: { type: 'auto' }, stop_sequences: ['END'], top_k: 3, metadata: { user_id: 'u' } },
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { effort: 'high' },
      context_management: { edits: [] },
    };
    const response = await ask(body, {
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'one-2026, two-2026',
    });
    expect([response.status, upstream.refused]).toEqual([200, []]);
    const [asked] = upstream.requests;
    expect(asked?.body).toEqual({ ...body, model: 'upstream-writer', max_tokens: 100 });
    expect(asked?.headers).toMatchObject({
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'one-2026, two-2026',
      'x-api-key': expect.any(String),
    });
    expect(asked?.headers['x-api-key']).not.toBe(service.key);
  });

  test('has no field that would change what it costs, or that the catalogue drops', async () => {
    upstream.script(() => says('ok'));
    const model = service.deps.catalogue.models.find(({ id }) => id === 'eyes')!;
    const { upstream: own } = model;
    const rules = ['cache_control', 'temperature', 'user', 'reasoning_effort', 'stop'];
    model.upstream = { ...own, fields: Object.fromEntries(rules.map((name) => [name, 'drop' as const])) };
    const mark = { cache_control: { type: 'ephemeral' } };
    try {
      await ask({
        ...{ service_tier: 'auto', speed: 'fast', temperature: 0.5, metadata: { user_id: 'u' }, ...mark },
        stop_sequences: ['END'],
        output_config: { effort: 'high', format: { type: 'json_schema', schema: {} } },
        system: [{ ...text('Be kind.'), ...mark }],
        tools: [{ ...tools[0], ...mark }],
        messages: [{ role: 'user', content: [{ ...text('Hi'), ...mark }] }],
      });
    } finally {
      model.upstream = own;
    }
    expect(upstream.requests[0]?.body).toEqual({
      ...{ model: 'upstream-writer', max_tokens: 100, tools },
      output_config: { format: { type: 'json_schema', schema: {} } },
      system: [text('Be kind.')],
      messages: [{ role: 'user', content: [text('Hi')] }],
    });
  });

  test('has numbers of the same value, however large, in either direction', async () => {
    const numbers = '[1e20,1e400,12345678901234567890,0.1,1.50]';
    const large = '[100000000000000000000,1e400,12345678901234567890,0.1,1.5]';
    const answered = '{"type":"tool_use","id":"a","name":"b","input":{"n":12345678901234567890}}';
    const use = `{"type":"tool_use","id":"a","name":"b","input":{"n":${numbers}}}`;
    const result = '{"type":"tool_result","tool_use_id":"a","content":"c"}';
    const history = `[{"role":"user","content":"Hi"},{"role":"assistant","content":[${use}]},{"role":"user","content":[${result}]}]`;
    const whole = `{"type":"message","content":[${answered}],"usage":{"input_tokens":3,"output_tokens":2}}`;
    fallback.script((wire) => wire.json(200, whole));
    const response = await service.post(`{"model":"numbers","max_tokens":100,"messages":${history}}`, {
      path: '/v1/messages',
    });
    expect(await response.text()).toContain('"input":{"n":12345678901234567890}');
    expect(fallback.requests[0]?.text).toContain(`"input":{"n":${large}}`);
    const calls = JSON.stringify([
      { id: 'a', type: 'function', function: { name: 'b', arguments: `{"n":${numbers}}` } },
    ]);
    const chatted = `[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":${calls}},{"role":"tool","tool_call_id":"a","content":"c"}]`;
    await service.post(`{"model":"numbers","messages":${chatted}}`);
    expect(fallback.requests[1]?.text).toContain(`"input":{"n":${large}}`);
  });

  test('has the instruction of the compressed variant at the end of its prompt', async () => {
    upstream.script(() => says('ok'));
    await ask({ model: 'writer-compressed', system: [text('Be kind.')] });
    await ask({ model: 'writer-compressed' });
    const [first, second] = upstream.requests.map(({ body }) => body.system);
    expect(first).toEqual([
      text('Be kind.'),
      text(expect.stringMatching(/^Answer as briefly/) as unknown as string),
    ]);
    expect(second).toMatch(/^Answer as briefly/);
  });
});

describe('a stream of an upstream that has Messages', () => {
  const read = async (stream: string) => {
    upstream.script(() => ({ stream }));
    const response = await ask({ stream: true });
    return { status: response.status, sent: await response.text() };
  };
  const words = eventsOf('upstream-writer', { content: [thought, text('one two three four')] });

  test('that breaks off ends its block, tells what it cost, and is an error', async () => {
    const { sent } = await read(streamOf(words.slice(0, -3)));
    expect(sent).toMatch(
      /event: content_block_stop\n[^\n]*\n\nevent: message_delta\ndata: .*"stop_reason":null.*"impact".*\n\nevent: error\ndata: .*"api_error".*\n\n$/,
    );
    expect(sent).not.toContain('message_stop');
  });

  test('that complains within is broken off, and its words stay here', async () => {
    const complaint = { type: 'error', error: { type: 'overloaded_error', message: 'secret words' } };
    service.clock.advance(limits.sameFailureMilliseconds);
    const { sent } = await read(streamOf([...words.slice(0, 4), complaint]));
    expect(sent).toMatch(/event: error\ndata: .*\n\n$/);
    expect(sent + JSON.stringify(service.log)).not.toContain('secret words');
    expect(service.log).toContainEqual(
      expect.objectContaining({ message: 'upstream failed', failure: 'broken', code: 'overloaded_error' }),
    );
  });

  test('that begins and complains at once has failed: nothing was shown of it, and nothing is charged', async () => {
    const complaint = { type: 'error', error: { type: 'overloaded_error', message: 'secret words' } };
    const before = await service.ledger();
    const { status, sent } = await read(streamOf([...words.slice(0, 2), complaint]));
    expect([status, sent]).toEqual([503, expect.stringContaining('"type":"error"')]);
    expect(sent).not.toContain('secret words');
    expect(await service.ledger()).toEqual(before);
  });

  test('that is cut anywhere is whole, broken, or refused before it began', async () => {
    const whole = streamOf(words);
    for (let end = whole.length; end > 0; end -= 83) {
      const { status, sent } = await read(whole.slice(0, end));
      if (status === 200) expect(sent).toMatch(/\nevent: (message_stop|error)\ndata: .*\n\n$/);
      else expect(status).toBe(503);
    }
  });

  test('that is not one of Messages is refused', async () => {
    const { status } = await read(streamOf([{ type: 'content_block_stop', index: 0 }]));
    expect(status).toBe(503);
    expect((await read(`${event(chunk({ content: 'Hi' }))}${done}`)).status).toBe(503);
  });

  test('whose last report has 0 for the input costs what the first one said', async () => {
    const last = { ...usage, input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 70 };
    const told = eventsOf('upstream-writer', { content: [text('Hi')], usage }).map((each) =>
      each.type === 'message_delta' ? { ...each, usage: last } : each,
    );
    const { sent } = await read(streamOf(told));
    expect(sent).toMatch(/message_delta.*"input_tokens":20,.*"cache_read_input_tokens":8,"output_tokens":70/);
    expect(await service.ledger()).toContainEqual(
      expect.objectContaining({ inputTokens: 32, cachedInputTokens: 8, outputTokens: 70 }),
    );
  });

  test('without usage is charged for the input of a call that came with its beginning', async () => {
    const input = { text: 'one two three four five six seven eight nine ten '.repeat(9) };
    const { sent } = await read(
      streamOf([
        { type: 'message_start', message: {} },
        { type: 'content_block_start', index: 0, content_block: { ...call, input } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        { type: 'message_stop' },
      ]),
    );
    const [, output] = /"output_tokens":(\d+)[^\n]*\n\nevent: message_stop/.exec(sent)!;
    expect(Number(output)).toBeGreaterThan(90);
  });

  test('with events and fields that are not known passes them on', async () => {
    const later = { type: 'later_event', index: 0, sparkle: { deep: [1] } };
    const [, ...rest] = eventsOf('upstream-writer', says('Hi'));
    const start = { type: 'message_start', message: { sparkle: 1 } };
    const told = rest.map((each) =>
      each.type === 'message_delta' ? { ...each, context_management: { applied_edits: [] } } : each,
    );
    const { sent } = await read(streamOf([start, later, ...told]));
    expect(sent).toContain(`event: later_event\ndata: ${JSON.stringify(later)}\n\n`);
    expect(sent).toContain('"context_management":{"applied_edits":[]}');
    expect(sent).toMatch(/^event: message_start\ndata: .*"role":"assistant".*"sparkle":1/);
  });
});

// Last, because an upstream that has failed is left out for a while.
describe('a model whose fallback has chat completions alone', () => {
  test('answers in Messages from either, and thinking stays with the upstream that made it', async () => {
    upstream.script(() => working);
    const first = (await (await ask({ model: 'writer', tools })).json()) as { content: Block[] };
    upstream.script(() => ({ status: 529, type: 'overloaded_error' }));
    fallback.script(answersPlainly);
    const result = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call.id, content: 'a dot' }],
    };
    const messages = [hi, { role: 'assistant', content: first.content }, result];
    const body = { model: 'writer', tools, messages };
    expect(await (await ask(body)).json()).toMatchObject({ model: 'writer', content: [text('Hello')] });
    expect(fallback.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        max_tokens: 100,
        messages: [hi, { role: 'assistant', content: 'Let me look.' }, { role: 'tool' }],
      },
    });
    expect(fallback.requests[0]?.text).not.toMatch(/Hm, hm|errand_|sealed/);
    expect(fallback.requests[0]?.headers).not.toHaveProperty('anthropic-version');
    fallback.script(
      streams(
        event(chunk({ reasoning_content: 'Hm' })),
        event(chunk({ content: 'Hel' })),
        event(chunk({}, 'stop')),
        event(usageChunk),
        done,
      ),
    );
    const streamed = await client()
      .messages.stream({ model: 'writer', max_tokens: 100, messages: [hi] })
      .finalMessage();
    expect(streamed.content).toMatchObject([{ type: 'thinking', thinking: 'Hm' }, text('Hel')]);
    upstream.script(() => says('ok'));
    const again = await ask({ messages: [hi, { role: 'assistant', content: streamed.content }, hi] });
    expect([again.status, upstream.refused]).toEqual([200, []]);
    expect(upstream.requests[0]?.body.messages[1]?.content).toEqual([text('Hel')]);
  });

  test('answers from the fallback if the first provider begins a stream and complains at once', async () => {
    service.clock.advance(3_600_000);
    const [start] = eventsOf('upstream-writer', says('Hi'));
    const complaint = { type: 'error', error: { type: 'overloaded_error', message: 'secret words' } };
    upstream.script(() => ({ stream: streamOf([start!, complaint]) }));
    fallback.script(streams(event(chunk({ content: 'Hello' }, 'stop')), event(usageChunk), done));
    const sent = await (await ask({ model: 'writer', stream: true })).text();
    expect([upstream.requests.length, fallback.requests.length]).toEqual([1, 1]);
    expect(sent.match(/event: message_start/g)).toHaveLength(1);
    expect(sent).toMatch(/"text":"Hello".*\n[\s\S]*event: message_stop\n/);
  });
});
