import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatService, chatCatalogue, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly, hello } from '../chat/support/chunks.ts';
import { newTestAccount } from '../support/accounts.ts';
import {
  type Block,
  eventsOf,
  type MessageServer,
  messageUsage,
  says,
  startMessageServer,
  streamOf,
  text,
} from '../support/message-server.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

/** Chat completions and Responses whose model's upstream has Anthropic's Messages alone. */
let upstream: MessageServer;
let fallback: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  [upstream, fallback] = await Promise.all([startMessageServer(), startUpstream()]);
  const catalogue = chatCatalogue(upstream.baseUrl, [fallback.baseUrl]);
  for (const model of catalogue.models) model.upstream.api = 'messages';
  const [writer] = catalogue.models;
  writer!.prices = [
    {
      ...{ inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
      ...{ cachedInputPerMillionTokens: 0.5, cacheWritePerMillionTokens: 3 },
    },
  ];
  service = await startChatService(catalogue);
});

afterAll(async () => {
  await service.close();
  await Promise.all([upstream.close(), fallback.close()]);
});

const client = () => new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.key, maxRetries: 0 });

const usage = {
  ...{ input_tokens: 20, cache_read_input_tokens: 8, cache_creation_input_tokens: 4, output_tokens: 5 },
  output_tokens_details: { thinking_tokens: 2 },
};
const chatUsage = {
  ...{ prompt_tokens: 32, completion_tokens: 5, total_tokens: 37 },
  prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
/** 20 plain tokens, 8 cached ones, 4 written into the cache, and 5 of output. */
const costNanoEuro = 20 * 1_000 + 8 * 500 + 4 * 3_000 + 5 * 2_000;

const thought = { type: 'thinking', thinking: 'Hm, hm', signature: 'sig-1' };
const calls = [
  { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'left' } },
  { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
];
const working = { content: [thought, text('Let me look.'), ...calls], usage };
const tools = [
  { type: 'function' as const, function: { name: 'look', parameters: { type: 'object', properties: {} } } },
];
const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const asking = [
  { role: 'system' as const, content: 'Be kind.' },
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'What is this?' }, picture] },
];
const hi = [{ role: 'user', content: 'Hi' }];

/** What is charged for what is done here. */
async function chargedFor(work: () => Promise<unknown>) {
  const before = new Set((await service.ledger()).map(({ id }) => id));
  await work();
  return (await service.ledger()).filter(({ id }) => !before.has(id));
}

describe('a chat completion over an upstream with Messages alone', () => {
  test('has its text, thinking, calls and usage, costs what the upstream says, and is asked under its key', async () => {
    upstream.script(() => working);
    const { choices, ...completion } = await client().chat.completions.create({
      model: 'writer',
      messages: asking,
      tools,
      max_tokens: 100,
    });
    expect(completion).toMatchObject({
      ...{ id: 'msg_up', object: 'chat.completion', model: 'writer', usage: chatUsage },
      created: expect.any(Number),
    });
    expect(completion).toHaveProperty('impact.version');
    expect(choices).toEqual([
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          ...{ role: 'assistant', content: 'Let me look.', reasoning_content: 'Hm, hm' },
          thinking_blocks: [thought],
          tool_calls: [
            { id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"at":"left"}' } },
            { id: 'toolu_2', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
      },
    ]);
    const [asked] = upstream.requests;
    expect(asked?.headers).toMatchObject({
      'anthropic-version': '2023-06-01',
      'x-api-key': expect.any(String),
    });
    expect(asked?.headers).not.toHaveProperty('authorization');
    expect(asked?.body).toEqual({
      model: 'upstream-writer',
      max_tokens: 100,
      system: [text('Be kind.')],
      messages: [
        {
          role: 'user',
          content: [
            text('What is this?'),
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          ],
        },
      ],
      tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
    });
    const tokens = { inputTokens: 32, cachedInputTokens: 8, outputTokens: 5, reasoningTokens: 2 };
    expect(await service.ledger()).toContainEqual(
      expect.objectContaining({ kind: 'completion', ...tokens, amountNanoEuro: -costNanoEuro }),
    );
  });

  test('sends results, pictures and signed thinking back', async () => {
    upstream.script((_, number) => (number === 1 ? working : says('A dot.')));
    const ask = (messages: object[]) =>
      client().chat.completions.create({ model: 'writer', messages: messages as typeof asking, tools });
    const { choices } = await ask(asking);
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `Seen by ${id}` }));
    const shown = { role: 'user', content: [picture] };
    const answer = await ask([...asking, choices[0]!.message, ...results, shown]);
    expect(answer.choices[0]?.message.content).toBe('A dot.');
    expect(upstream.refused).toEqual([]);
    expect(upstream.requests[1]?.body.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: working.content },
      {
        role: 'user',
        content: [
          ...calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: `Seen by ${id}` })),
          { type: 'image' },
        ],
      },
    ]);
  });

  test('comes in chunks as it comes in one piece', async () => {
    upstream.script(() => working);
    const stream = () => client().chat.completions.stream({ model: 'writer', messages: asking, tools });
    const whole = await stream().finalChatCompletion();
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Let me look.',
        tool_calls: [
          { id: 'toolu_1', function: { name: 'look', arguments: '{"at":"left"}' } },
          { id: 'toolu_2', function: { name: 'look', arguments: '{}' } },
        ],
      },
    });
    expect(whole.usage).toEqual(chatUsage);
    expect(await chargedFor(() => stream().done())).toMatchObject([{ amountNanoEuro: -costNanoEuro }]);
    const response = await service.post({ model: 'writer', stream: true, messages: asking, tools });
    const sent = await response.text();
    expect(sent).toContain('"reasoning_content":"Hm,"');
    expect(sent).toContain(`"thinking_blocks":[${JSON.stringify(thought)}]`);
    expect(sent).not.toContain('upstream-writer');
    expect(sent.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('that wants an answer of a schema, or JSON of any form, is told to the provider in its own words', async () => {
    upstream.script(() => says('{"name":"a"}'));
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const forms = [
      { type: 'json_schema' as const, json_schema: { name: 'person', schema } },
      { type: 'json_schema' as const, json_schema: { name: 'person', schema, strict: false } },
      { type: 'json_object' as const },
    ];
    for (const response_format of forms) {
      const asked = { model: 'writer', messages: asking, response_format };
      expect((await client().chat.completions.create(asked)).choices[0]?.message.content).toBe(
        '{"name":"a"}',
      );
      await client().chat.completions.stream(asked).done();
    }
    const exact = { format: { type: 'json_schema', schema: { ...schema, additionalProperties: false } } };
    const [kind, inJson] = [text('Be kind.'), text(expect.stringMatching(/^Answer with one JSON object/))];
    expect(upstream.refused).toEqual([]);
    expect(upstream.requests.map(({ body: { output_config, system } }) => [output_config, system])).toEqual([
      ...[exact, exact, exact, exact].map((config) => [config, [kind]]),
      ...[1, 2].map(() => [undefined, [kind, inJson]]),
    ]);
  });

  test('without a limit is given the one that is set aside', async () => {
    upstream.script(() => says('ok'));
    await client().chat.completions.create({ model: 'writer', messages: asking });
    expect(upstream.requests[0]?.body.max_tokens).toBe(4_096);
  });

  test('takes no balance below zero, whatever the upstream says: it was told how much to write', async () => {
    upstream.script(() => ({ ...says('ok'), usage: { ...messageUsage, output_tokens: 1_000_000 } }));
    const poor = await newTestAccount(service.deps.accounts, { credits: '0.01' });
    const response = await service.post({ model: 'writer', messages: hi }, { key: poor.key });
    expect(response.status).toBe(200);
    expect((await service.purse(poor)).balanceNanoEuro).toBe(0);
  });

  test('that asks for what a message does not have is a 400 before an upstream is asked', async () => {
    upstream.script(() => says('ok'));
    const before = (await service.ledger()).length;
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    const asked = [
      [{ n: 2 }, 'n'],
      [{ messages: [{ role: 'user', content: [audio] }] }, 'messages[0].content[0]'],
      [{ tools: [{ type: 'custom', custom: { name: 'a' } }] }, 'tools[0]'],
    ] as const;
    for (const [body, param] of asked) {
      const response = await service.post({ model: 'writer', messages: asking, ...body });
      expect([response.status, await response.json()]).toMatchObject([400, { error: { param } }]);
    }
    expect(upstream.requests).toEqual([]);
    expect(await service.ledger()).toHaveLength(before);
  });

  test('is a 400 with the words of an upstream that refuses it', async () => {
    upstream.script(() => ({ status: 400, type: 'invalid_request_error', message: 'thinking: too little' }));
    const response = await service.post({ model: 'writer', messages: asking });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('thinking: too little') } },
    ]);
  });
});

describe('a stream of an upstream with Messages alone', () => {
  const whole = streamOf(eventsOf('upstream-writer', { content: [text('one two')], usage: messageUsage }));
  const post = () => service.post({ model: 'eyes', stream: true, messages: hi });

  test('that is cut anywhere is whole, broken, or refused before it began', async () => {
    for (let end = whole.length; end > 0; end -= 61) {
      upstream.script(() => ({ stream: whole.slice(0, end) }));
      const response = await post();
      const sent = await response.text();
      if (response.status === 200) expect(sent.endsWith('data: [DONE]\n\n')).toBe(true);
      else expect(response.status).toBe(503);
    }
  });

  test('that breaks off is charged for its input as told, and for what was written', async () => {
    const events = eventsOf('upstream-writer', { content: [text('one two three four')] });
    upstream.script(() => ({ stream: streamOf(events.slice(0, 4)) }));
    const charged = await chargedFor(async () =>
      expect(await (await post()).text()).toContain('"code":"upstream_failed"'),
    );
    expect(charged).toMatchObject([{ inputTokens: 20, outputTokens: 3, brokenOff: true }]);
  });

  test('that complains within is broken off, and its words stay here', async () => {
    const complaint = { type: 'error', error: { type: 'overloaded_error', message: 'secret words' } };
    const events: Block[] = [...eventsOf('upstream-writer', says('one two')).slice(0, 4), complaint];
    upstream.script(() => ({ stream: streamOf(events) }));
    const sent = await (await post()).text();
    expect(sent).toContain('"code":"upstream_failed"');
    expect(sent).not.toContain('secret words');
  });
});

describe('a response over an upstream with Messages alone', () => {
  const input = [
    {
      role: 'user' as const,
      content: [
        { type: 'input_text' as const, text: 'What is this?' },
        { type: 'input_image' as const, image_url: picture.image_url.url, detail: 'auto' as const },
      ],
    },
  ];
  const functions = [
    {
      ...{ type: 'function' as const, name: 'look', strict: false },
      parameters: { type: 'object', properties: {} },
    },
  ];
  const output = [
    { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm, hm' }] },
    { type: 'message', content: [{ type: 'output_text', text: 'Let me look.' }] },
    { type: 'function_call', call_id: 'toolu_1', name: 'look', arguments: '{"at":"left"}' },
    { type: 'function_call', call_id: 'toolu_2', name: 'look', arguments: '{}' },
  ];
  const told = {
    ...{ input_tokens: 32, output_tokens: 5, total_tokens: 37 },
    ...{ input_tokens_details: { cached_tokens: 8 }, output_tokens_details: { reasoning_tokens: 2 } },
  };
  const asked = { model: 'writer', instructions: 'Be kind.', input, tools: functions };

  test('has its text, thinking, calls and usage, streamed or not', async () => {
    upstream.script(() => working);
    const response = await client().responses.create(asked);
    expect(response).toMatchObject({ status: 'completed', model: 'writer', output, usage: told });
    const streamed = await client().responses.stream(asked).finalResponse();
    expect(streamed).toMatchObject({ status: 'completed', output, usage: told });
    expect(upstream.refused).toEqual([]);
    expect(upstream.requests[0]?.body).toMatchObject({
      system: [text('Be kind.')],
      messages: [{ role: 'user', content: [text('What is this?'), { type: 'image' }] }],
    });
  });

  test('goes on with the results of its calls', async () => {
    upstream.script((_, number) => (number === 1 ? working : says('A dot.')));
    const first = await client().responses.create(asked);
    const results = calls.map(({ id }) => ({
      ...{ type: 'function_call_output' as const, call_id: id, output: 'seen' },
    }));
    const last = await client().responses.create({
      ...asked,
      input: results,
      previous_response_id: first.id,
    });
    expect([last.output_text, upstream.refused]).toEqual(['A dot.', []]);
  });
});

// Last, because an upstream that has failed is left out for a while.
describe('a chat completion of a model with two protocols', () => {
  test.each([
    ['is busy', { status: 529, type: 'overloaded_error' }],
    ['breaks off', 'break' as const],
    ['complains at once', { stream: streamOf([{ type: 'error', error: { type: 'overloaded_error' } }]) }],
  ])('is answered by a fallback with chat completions if the upstream %s', async (_, trouble) => {
    upstream.script(() => trouble);
    fallback.script(hello);
    const streamed = await service.post({ model: 'writer', stream: true, messages: hi });
    expect(await streamed.text()).toContain('"content":"Hel"');
    expect(fallback.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: expect.stringMatching(/^Bearer /) },
      body: { messages: hi },
    });
    fallback.script(answersPlainly);
    const whole = await service.post({ model: 'writer', messages: hi });
    expect(await whole.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
  });
});
