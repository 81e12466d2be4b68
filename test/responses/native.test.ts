import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatService, chatCatalogue, startChatService } from '../chat/support/chat-service.ts';
import { hello } from '../chat/support/chunks.ts';
import { newTestAccount } from '../support/accounts.ts';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let fallback: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  [upstream, fallback] = await Promise.all([startUpstream(), startUpstream()]);
  const catalogue = chatCatalogue(upstream.baseUrl, [fallback.baseUrl]);
  for (const model of catalogue.models) model.upstream.api = 'responses';
  service = await startChatService(catalogue);
});

afterAll(async () => {
  await service.close();
  await Promise.all([upstream.close(), fallback.close()]);
});

const client = () => new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.key, maxRetries: 0 });

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 8 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 25,
};

const reasoning = { id: 'rs_up', type: 'reasoning', summary: [], encrypted_content: 'gAAA' };
const part = { type: 'output_text', text: 'Hello', annotations: [], logprobs: [] };
const message = { id: 'msg_up', type: 'message', status: 'completed', role: 'assistant', content: [part] };
const answer = {
  id: 'resp_up',
  object: 'response',
  status: 'completed',
  model: 'upstream-writer',
  service_tier: 'default',
  temperature: 1,
  store: false,
  output: [reasoning, message],
  usage,
};

const sse = (events: object[]) =>
  events
    .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

const place = { item_id: 'msg_up', output_index: 1, content_index: 0 };
const opening = [
  { type: 'response.created', response: { ...answer, status: 'in_progress', output: [], usage: null } },
  { type: 'response.in_progress', response: { ...answer, status: 'in_progress', output: [], usage: null } },
  { type: 'response.output_item.added', output_index: 0, item: reasoning },
  { type: 'response.output_item.done', output_index: 0, item: reasoning },
  {
    type: 'response.output_item.added',
    output_index: 1,
    item: { ...message, status: 'in_progress', content: [] },
  },
  { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
  { type: 'response.output_text.delta', ...place, delta: 'Hel', logprobs: [] },
  { type: 'response.output_text.delta', ...place, delta: 'lo', logprobs: [] },
].map((event, index) => ({ ...event, sequence_number: index + 7 }));
const closing = [
  { type: 'response.output_text.done', ...place, text: 'Hello', logprobs: [] },
  { type: 'response.content_part.done', ...place, part },
  { type: 'response.output_item.done', output_index: 1, item: message },
];

const sends =
  (...events: object[]): UpstreamScript =>
  async (wire) => {
    await wire.head();
    await wire.send(sse(events));
    wire.end();
  };

const completed = { type: 'response.completed', response: answer };

test('an upstream that has Responses is asked for a response, and told to store nothing', async () => {
  upstream.script((wire) => wire.json(200, answer));
  const response = await client().responses.create({
    model: 'writer',
    input: [
      { role: 'user', content: 'Say hello' },
      { ...reasoning, id: `rs_up_${'0'.repeat(32)}`, type: 'reasoning' },
      { type: 'reasoning', id: 'rs_none', summary: [] },
    ],
    instructions: 'Be kind.',
    max_output_tokens: 100,
    metadata: { mine: 'yes' },
    user: 'somebody',
  });
  const [asked] = upstream.requests;
  expect([asked?.path, asked?.body]).toEqual([
    '/v1/responses',
    {
      model: 'upstream-writer',
      instructions: 'Be kind.',
      input: [{ role: 'user', content: 'Say hello' }, reasoning],
      max_output_tokens: 100,
      store: false,
    },
  ]);
  const key = response.id.replace('resp_', '');
  expect(response).toMatchObject({
    ...{ status: 'completed', model: 'writer', output_text: 'Hello', usage, metadata: { mine: 'yes' } },
    output: [
      { ...reasoning, id: `rs_up_${key}` },
      { ...message, id: `msg_up_${key}` },
    ],
  });
  expect(response).toHaveProperty('impact.version');
  expect(await service.ledger()).toContainEqual(
    expect.objectContaining({ kind: 'completion', inputTokens: 20, outputTokens: 5, reasoningTokens: 2 }),
  );
});

test('a field that the catalogue drops is dropped under its name in Responses too', async () => {
  const rules = ['reasoning_effort', 'max_tokens', 'verbosity', 'response_format', 'logprobs', 'top_p'];
  const model = service.deps.catalogue.models[0]!;
  const { upstream: own } = model;
  model.upstream = { ...own, fields: Object.fromEntries(rules.map((name) => [name, 'drop' as const])) };
  upstream.script((wire) => wire.json(200, answer));
  try {
    await client().responses.create({
      model: 'writer',
      input: 'Say hello',
      ...{ max_output_tokens: 100, top_p: 0.5, temperature: 0.5, top_logprobs: 2, service_tier: 'flex' },
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
    });
  } finally {
    model.upstream = own;
  }
  expect(upstream.requests[0]?.body).toEqual({
    model: 'upstream-writer',
    input: [{ type: 'message', role: 'user', content: 'Say hello' }],
    temperature: 0.5,
    reasoning: { summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    store: false,
  });
});

test('encrypted reasoning counts in what is set aside', async () => {
  const { key } = await newTestAccount(service.deps.accounts, { credits: '0.02' });
  const ask = (encrypted_content: string) =>
    new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: key, maxRetries: 0 }).responses.create({
      model: 'writer',
      input: [
        { role: 'user', content: 'Say hello' },
        { type: 'reasoning', id: 'rs_up', summary: [], encrypted_content },
      ],
      max_output_tokens: 100,
    });
  upstream.script((wire) => wire.json(200, answer));
  await expect(ask('g'.repeat(100_000))).rejects.toMatchObject({ status: 402 });
  expect(upstream.requests).toEqual([]);
  expect(await ask('gAAA')).toMatchObject({ status: 'completed' });
});

test("events of a native response are passed on with the service's ids and numbers, and the last event has usage and impact", async () => {
  upstream.script(sends(...opening, ...closing, completed));
  const stream = client().responses.stream({ model: 'writer', input: 'Say hello' });
  const events: { type: string; sequence_number: number }[] = [];
  for await (const event of stream) events.push(event);
  expect(events.map(({ type }) => type)).toEqual([...opening, ...closing, completed].map(({ type }) => type));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  const final = await stream.finalResponse();
  expect(final).toMatchObject({ status: 'completed', model: 'writer', output_text: 'Hello', usage });
  expect(final).toHaveProperty('impact.version');
  expect(JSON.stringify(events)).not.toMatch(/upstream-writer|"resp_up"|"msg_up"/);
});

test('a chat completion with the same model is asked for as before', async () => {
  upstream.script(hello);
  const stream = await client().chat.completions.create({
    model: 'writer',
    messages: [{ role: 'user', content: 'Say hello' }],
    stream: true,
  });
  for await (const _ of stream);
  expect(upstream.requests[0]?.path).toBe('/v1/chat/completions');
});

test('a stream that breaks off ends as failed, and what was delivered is charged', async () => {
  const before = (await service.ledger()).length;
  upstream.script(sends(...opening));
  const stream = await client().responses.create({ model: 'writer', input: 'Say hello', stream: true });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  expect(events.at(-1)).toMatchObject({
    type: 'response.failed',
    response: {
      status: 'failed',
      error: { code: 'upstream_failed' },
      usage: { output_tokens: 1 },
      output: [
        { type: 'reasoning' },
        { type: 'message', status: 'incomplete', content: [{ ...part, text: 'Hello' }] },
      ],
    },
  });
  expect((await service.ledger()).length).toBe(before + 1);
});

test('a usage that came before the text is not what a cut stream costs', async () => {
  const early = {
    ...answer,
    status: 'in_progress',
    output: [],
    usage: { ...usage, output_tokens: 0, total_tokens: 20 },
  };
  upstream.script(sends({ type: 'response.created', response: early }, ...opening.slice(2)));
  const stream = await client().responses.create({ model: 'writer', input: 'Say hello', stream: true });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { usage: { output_tokens: 1 } } });
});

test('the response of a cut stream has whatever the stream delivered', async () => {
  const at = (output_index: number) => ({ item_id: `up_${output_index}`, output_index });
  const added = (output_index: number, item: object) => ({
    ...{ type: 'response.output_item.added', output_index },
    item: { id: `up_${output_index}`, status: 'in_progress', ...item },
  });
  const delta = (type: string, place: object, text: string) => ({
    ...{ type: `response.${type}.delta`, delta: text },
    ...place,
  });
  const summary = { ...at(0), summary_index: 0 };
  const content = (index: number, content_index = 0) => ({ ...at(index), content_index });
  upstream.script(
    sends(
      ...opening.slice(0, 2),
      added(0, { type: 'reasoning', summary: [] }),
      ...[
        {
          type: 'response.reasoning_summary_part.added',
          ...summary,
          part: { type: 'summary_text', text: '' },
        },
        delta('reasoning_summary_text', summary, 'Let me '),
        delta('reasoning_summary_text', summary, 'see'),
        delta('reasoning_text', content(0), 'Hm.'),
      ],
      added(1, { type: 'message', role: 'assistant', content: [] }),
      ...[delta('refusal', content(1), 'I can'), delta('refusal', content(1), 'not')],
      delta('output_text', { ...content(1, 1e9), logprobs: [] }, 'nowhere'),
      added(2, { type: 'function_call', call_id: 'c', name: 'add', arguments: '' }),
      ...[delta('function_call_arguments', at(2), '{"a"'), delta('function_call_arguments', at(2), ':1')],
      added(3, { type: 'custom_tool_call', call_id: 'd', name: 'patch', input: '' }),
      delta('custom_tool_call_input', at(3), '***'),
    ),
  );
  const stream = await client().responses.create({ model: 'writer', input: 'Say hello', stream: true });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  const last = events.at(-1) as OpenAI.Responses.ResponseFailedEvent;
  expect(last).toMatchObject({
    type: 'response.failed',
    response: {
      output: [
        { summary: [{ type: 'summary_text', text: 'Let me see' }], content: [{ text: 'Hm.' }] },
        { content: [{ type: 'refusal', refusal: 'I cannot' }] },
        { arguments: '{"a":1' },
        { input: '***' },
      ],
    },
  });
  expect(await client().responses.retrieve(last.response.id)).toMatchObject({ output: last.response.output });
});

test('a stream whose last event has no items keeps the items of its earlier events', async () => {
  upstream.script(sends(...opening, { type: 'response.completed', response: { ...answer, output: [] } }));
  const stream = await client().responses.create({ model: 'writer', input: 'Say hello', stream: true });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  expect(events.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { output: [{ type: 'reasoning' }, { status: 'completed', content: [{ text: 'Hello' }] }] },
  });
});

test.each(['created', 'in_progress', 'completed', 'incomplete', 'failed'])(
  'response.%s without a response counts as a failure of the upstream',
  async (name) => {
    upstream.script(sends({ type: `response.${name}` }, ...opening));
    fallback.script(hello);
    const stream = client().responses.stream({ model: 'writer', input: 'Say hello' });
    for await (const _ of stream);
    expect((await stream.finalResponse()).output_text).toBe('Hello');
    upstream.script(sends(...opening, { type: `response.${name}` }));
    const later = await client().responses.create({ model: 'writer', input: 'Say hello', stream: true });
    const types: string[] = [];
    for await (const { type } of later) types.push(type);
    expect(types.slice(opening.length)).toEqual(['response.failed']);
  },
);

test.each([
  ['an error event', [{ type: 'error', code: 'server_error', message: 'sk-secret' }]],
  ['a failed response', [{ type: 'response.failed', response: { ...answer, status: 'failed' } }]],
  ['words that are no event', ['nonsense']],
])('%s in place of a beginning lets the fallback be asked, in its own protocol', async (_, events) => {
  upstream.script(sends(...(events as object[])));
  fallback.script(hello);
  const stream = client().responses.stream({ model: 'writer', input: 'Say hello' });
  for await (const event of stream) expect(JSON.stringify(event)).not.toContain('sk-secret');
  expect((await stream.finalResponse()).output_text).toBe('Hello');
  expect(fallback.requests[0]?.path).toBe('/v1/chat/completions');
});

test('an upstream that has Responses gets known fields alone, and no address in any other', async () => {
  upstream.script((wire) => wire.json(200, answer));
  const model = service.deps.catalogue.models[0]!;
  model.imageUrls = 'refuse';
  const address = 'http://10.9.8.7/x.png';
  const more = { file_url: address, server_url: address, more: { url: [address] } };
  const tool = {
    type: 'function',
    name: 'f',
    description: 'Does.',
    parameters: { type: 'object' },
    strict: true,
  };
  const grammar = {
    type: 'custom',
    name: 'g',
    format: { type: 'grammar', syntax: 'regex', definition: 'a' },
  };
  const known = {
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}', status: 'completed' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'Done' }] },
      { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'a' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'Done' },
      { ...reasoning, summary: [{ type: 'summary_text', text: 'Hm.' }] },
      {
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'So.' }],
      },
    ],
    tools: [tool, grammar, { type: 'namespace', name: 'n', description: 'N.', tools: [tool] }],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    text: {
      format: { type: 'json_schema', name: 's', schema: { type: 'object' }, strict: true },
      verbosity: 'low',
    },
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    parallel_tool_calls: false,
  };
  const dirty = withMore(known, more);
  try {
    const ask = (body: object) => service.post({ model: 'writer', ...body }, { path: '/v1/responses' });
    const { status } = await ask({ ...dirty, input: withKey(dirty.input) });
    expect(status).toBe(200);
    const asked = upstream.requests.at(-1);
    expect(asked?.body).toEqual({ model: 'upstream-writer', store: false, ...known });
    expect(asked?.text).not.toContain('10.9.8.7');
    for (const wrong of [
      { input: 'Hi', reasoning: { summary: address } },
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: address }] }] },
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: address }] }] },
      {
        input: [
          { role: 'user', content: [{ type: 'input_audio', input_audio: { data: address, format: 'mp3' } }] },
        ],
      },
    ])
      expect((await ask(wrong)).status).toBe(400);
    expect(upstream.requests.at(-1)).toBe(asked);
  } finally {
    delete model.imageUrls;
  }
});

/** The value with these fields in each of its objects, those apart in which such a field is refused. */
function withMore<T>(value: T, more: object, depth = 0): T {
  if (Array.isArray(value)) return value.map((each) => withMore(each, more, depth + 1)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const isSchema = 'type' in value && value.type === 'object';
  const inside = Object.entries(value).map(([name, each]) => [name, withMore(each, more, depth + 1)]);
  const isRefused = depth === 0 || ['verbosity', 'effort', 'file_data', 'data'].some((name) => name in value);
  return { ...Object.fromEntries(inside), ...(!isSchema && !isRefused && more) } as T;
}

/** The upstream's own id of reasoning comes with the key of a response. */
const withKey = (items: readonly { type: string }[]) =>
  items.map((item) => (item.type === 'reasoning' ? { ...item, id: `rs_up_${'0'.repeat(32)}` } : item));
