import Anthropic from '@anthropic-ai/sdk';
import { createSkill } from '@errand/skills';
import { expect, test } from 'vitest';
import type { ChatService } from '../chat/support/chat-service.ts';
import { answersPlainly, chunk, done, event, hello, streams, usageChunk } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const client = () => new Anthropic({ baseURL: service.baseUrl, apiKey: service.key, maxRetries: 0 });

const usage = {
  input_tokens: 12,
  cache_read_input_tokens: 8,
  cache_creation_input_tokens: 0,
  output_tokens: 5,
};
const asks = {
  model: 'writer',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Say hello' }],
};

test('a message in one piece has the text, the usage and the impact, and is charged', async () => {
  upstream.script(answersPlainly);
  const { data, response } = await client()
    .messages.create({ ...asks, system: 'Be kind.' })
    .withResponse();
  expect(data).toMatchObject({
    ...{
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'message',
      role: 'assistant',
      model: 'writer',
    },
    ...{ content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn', stop_sequence: null, usage },
  });
  expect(data).toHaveProperty('impact.version');
  expect(response.headers.get('Request-Id')).toBe(response.headers.get('X-Request-Id'));
  expect(upstream.requests[0]?.body).toEqual({
    model: 'upstream-writer',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Say hello' },
    ],
    max_tokens: 100,
  });
  expect(await service.ledger()).toContainEqual(
    expect.objectContaining({ kind: 'completion', inputTokens: 20, outputTokens: 5 }),
  );
});

test('a streamed message equals the message in one piece when a client joins its events', async () => {
  upstream.script(hello);
  const stream = client().messages.stream(asks);
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types).toEqual([
    ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_delta'],
    ...['content_block_stop', 'message_delta', 'message_stop'],
  ]);
  expect(await stream.finalMessage()).toMatchObject({
    ...{ content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn', usage },
  });
  expect(stream.request_id).toMatch(/^[0-9a-f-]{36}$/);
});

test('calls of tools and thinking come as blocks, and go back as the model gave them', async () => {
  const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
  upstream.script(
    streams(
      event(chunk({ role: 'assistant', reasoning_content: 'Hm.' })),
      event(call(0, { id: 'functions.add:0', type: 'function', function: { name: 'add', arguments: '' } })),
      event(call(0, { function: { arguments: '{"a":' } })),
      event(call(0, { function: { arguments: '1}' } })),
      event(call(1, { id: 'call_b', type: 'function', function: { name: 'add', arguments: '{}' } })),
      event(chunk({}, 'tool_calls')),
      event(usageChunk),
      done,
    ),
  );
  const tools = [{ name: 'add', input_schema: { type: 'object' as const } }];
  const first = await client()
    .messages.stream({ ...asks, tools })
    .finalMessage();
  expect(first).toMatchObject({
    stop_reason: 'tool_use',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'tool_use', name: 'add', input: { a: 1 } },
      { type: 'tool_use', id: 'call_b', name: 'add', input: {} },
    ],
  });
  upstream.script(answersPlainly);
  const results = first.content.flatMap((block) =>
    block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: '2' }] : [],
  );
  await client().messages.create({
    ...asks,
    tools,
    messages: [...asks.messages, first, { role: 'user', content: results }],
  });
  const called = (id: string, json: string) => ({
    id,
    type: 'function',
    function: { name: 'add', arguments: json },
  });
  expect(upstream.requests[0]?.body.messages).toEqual([
    { role: 'user', content: 'Say hello' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Hm.',
      tool_calls: [called('functions.add:0', '{"a":1}'), called('call_b', '{}')],
    },
    { role: 'tool', tool_call_id: 'functions.add:0', content: '2' },
    { role: 'tool', tool_call_id: 'call_b', content: '2' },
  ]);
});

test('a key is taken by either header, and by the one that has a key where both are there', async () => {
  upstream.script(answersPlainly);
  const ask = async (headers: Record<string, string>) => {
    const body = JSON.stringify(asks);
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
    return (await fetch(`${service.baseUrl}/v1/messages`, init)).status;
  };
  const bearer = { Authorization: `Bearer ${service.key}` };
  const bare = { 'X-Api-Key': service.key };
  expect(await ask(bearer)).toBe(200);
  expect(await ask(bare)).toBe(200);
  expect(await ask({ ...bearer, ...bare })).toBe(200);
  expect(await ask({ ...bearer, 'X-Api-Key': 'sk-ant-1' })).toBe(200);
  expect(await ask({ Authorization: 'Bearer sk-ant-1', ...bare })).toBe(200);
  expect(await ask({ Authorization: 'Bearer sk-ant-1', 'X-Api-Key': 'sk-ant-1' })).toBe(401);
});

test('what Claude Code sends reaches a translated model as a plain chat completion', async () => {
  upstream.script(answersPlainly);
  const cached = { cache_control: { type: 'ephemeral' } };
  const response = await fetch(`${service.baseUrl}/v1/messages?beta=true`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'claude-code-20250219,context-management-2025-06-27,advanced-tool-use-2025-11-20',
    },
    body: JSON.stringify({
      model: 'writer',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Fix it', ...cached }] },
        { role: 'system', content: 'Today is Friday.' },
      ],
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.332; cch=1a2b3;' },
        { type: 'text', text: 'You write code.', ...cached },
      ],
      tools: [
        { name: 'Read', description: 'Reads.', input_schema: { type: 'object' } },
        { name: 'DeferredToolPlaceholder', input_schema: { type: 'object' }, defer_loading: true },
      ],
      metadata: { user_id: '{"device_id":"d"}' },
      max_tokens: 32_000,
      thinking: { type: 'adaptive', display: 'omitted' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
    }),
  });
  expect(response.status).toBe(200);
  expect(upstream.requests[0]?.body).toEqual({
    model: 'upstream-writer',
    messages: [
      { role: 'system', content: 'You write code.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Fix it' },
          { type: 'text', text: '<system>\nToday is Friday.\n</system>' },
        ],
      },
    ],
    tools: [
      { type: 'function', function: { name: 'Read', description: 'Reads.', parameters: { type: 'object' } } },
    ],
    user: '{"device_id":"d"}',
    max_tokens: 32_000,
  });
  expect(upstream.requests[0]?.headers).not.toHaveProperty('anthropic-beta');
});

test('a message with a skill has its instructions and its headers', async () => {
  upstream.script(answersPlainly);
  const owner = { scope: 'user' as const, accountId: service.accountId };
  await createSkill(service.deps.skills, owner, { name: 'tone', instructions: 'Speak plainly.' });
  const response = await service.post({ ...asks, skills: 'tone' }, { path: '/v1/messages' });
  expect(response.status).toBe(200);
  expect(upstream.requests[0]?.body.messages).toEqual([
    { role: 'system', content: expect.stringContaining('Speak plainly.') },
    asks.messages[0],
  ]);
  expect(response.headers.get('X-Skill')).toBe('tone');
});

test('a message of a thread is refused in the words by which clients send the whole conversation', async () => {
  upstream.script(answersPlainly);
  for (const thread of [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }]) {
    const response = await service.post({ ...asks, thread }, { path: '/v1/messages' });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        error: {
          ...{ type: 'invalid_request_error', code: 'invalid_request' },
          message: 'thread: is not served: no conversation is kept here, send all of its messages',
          details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
        },
      },
    ]);
  }
  expect(upstream.requests).toEqual([]);
});
