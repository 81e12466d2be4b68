import { responsesRoutes } from '@errand/responses';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import type { ChatService } from '../chat/support/chat-service.ts';
import { answersPlainly, chunk, done, event, hello, streams, usageChunk } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import { calls } from '../clients/support/speak.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const client = () => new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.key, maxRetries: 0 });

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 8 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 25,
};

test('a response in one piece has the text, the usage and the impact, and is charged', async () => {
  upstream.script(answersPlainly);
  const response = await client().responses.create({
    model: 'writer',
    input: 'Say hello',
    instructions: 'Be kind.',
  });
  expect(response).toMatchObject({ object: 'response', status: 'completed', output_text: 'Hello', usage });
  expect(response).toHaveProperty('impact.version');
  expect(upstream.requests[0]?.body).toEqual({
    model: 'upstream-writer',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Say hello' },
    ],
  });
  expect(await service.ledger()).toContainEqual(
    expect.objectContaining({ kind: 'completion', inputTokens: 20, outputTokens: 5 }),
  );
});

test('a streamed response equals the response in one piece when a client joins its events', async () => {
  upstream.script(hello);
  const stream = client().responses.stream({ model: 'writer', input: 'Say hello' });
  const types: string[] = [];
  const numbers: number[] = [];
  for await (const { type, sequence_number } of stream) {
    types.push(type);
    numbers.push(sequence_number);
  }
  expect(types).toEqual([
    ...['response.created', 'response.in_progress', 'response.output_item.added'],
    ...['response.content_part.added', 'response.output_text.delta', 'response.output_text.delta'],
    ...['response.output_text.done', 'response.content_part.done', 'response.output_item.done'],
    'response.completed',
  ]);
  expect(numbers).toEqual(types.map((_, index) => index));
  expect(await stream.finalResponse()).toMatchObject({ status: 'completed', output_text: 'Hello', usage });
});

test('calls of tools come as items, and their outputs go back as messages', async () => {
  const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
  upstream.script(
    streams(
      event(chunk({ role: 'assistant', reasoning_content: 'Hm.' })),
      event(call(0, { id: 'call_a', type: 'function', function: { name: 'add', arguments: '' } })),
      event(call(0, { function: { arguments: '{"a":' } })),
      event(call(0, { function: { arguments: '1}' } })),
      event(call(1, { id: 'call_b', type: 'function', function: { name: 'add', arguments: '{}' } })),
      event(chunk({}, 'tool_calls')),
      event(usageChunk),
      done,
    ),
  );
  const tools = [{ type: 'function' as const, name: 'add', parameters: { type: 'object' }, strict: false }];
  const stream = client().responses.stream({ model: 'writer', input: 'Add', tools });
  for await (const _ of stream);
  const first = await stream.finalResponse();
  expect(first.output).toMatchObject([
    { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
    { type: 'function_call', call_id: 'call_a', name: 'add', arguments: '{"a":1}', status: 'completed' },
    { type: 'function_call', call_id: 'call_b', name: 'add', arguments: '{}', status: 'completed' },
  ]);
  upstream.script(answersPlainly);
  const output = { type: 'function_call_output' as const, output: '2' };
  await client().responses.create({
    model: 'writer',
    tools,
    input: [
      { role: 'user', content: 'Add' },
      ...(first.output as OpenAI.Responses.ResponseInputItem[]),
      { ...output, call_id: 'call_a' },
      { ...output, call_id: 'call_b' },
    ],
  });
  expect(upstream.requests[0]?.body.messages).toEqual([
    { role: 'user', content: 'Add' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
        { id: 'call_b', type: 'function', function: { name: 'add', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: '2' },
    { role: 'tool', tool_call_id: 'call_b', content: '2' },
  ]);
});

test('a streamed response is stored before its last event is sent', async () => {
  upstream.script(hello);
  const stream = await client().responses.create({ model: 'writer', input: 'Say hello', stream: true });
  for await (const event of stream)
    if (event.type === 'response.completed')
      expect(await client().responses.retrieve(event.response.id)).toMatchObject({
        output: event.response.output,
        usage,
      });
});

test('an answer that cannot be stored says that it is not kept', async () => {
  upstream.script(answersPlainly);
  const { middlewareStack } = service.dynamo.dynamodb;
  middlewareStack.add(
    (next) => (args) => {
      const { TableName, Item } = args.input as { TableName?: string; Item?: object };
      if (TableName === 'Responses' && Item) throw new Error('the table is away');
      return next(args);
    },
    { step: 'initialize', name: 'refuseResponses' },
  );
  try {
    const response = await client().responses.create({ model: 'writer', input: 'Say hello' });
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello', store: false });
    const [line] = service.log.filter(({ message }) => message === 'response not kept');
    expect(JSON.stringify(line)).not.toContain('hello');
    await expect(client().responses.retrieve(response.id)).rejects.toMatchObject({ status: 404 });
  } finally {
    middlewareStack.remove('refuseResponses');
  }
});

test('only what refers to kept responses reads the store, and only what is kept writes to it', async () => {
  const requestsOf = async (more: object) => {
    upstream.script(answersPlainly);
    await service.ledger();
    const before = service.dynamo.requests();
    const { id } = await client().responses.create({ model: 'writer', input: 'Say hello', ...more });
    await service.ledger();
    return { id, sent: service.dynamo.requests() - before };
  };
  // The ledger of the test reads as well.
  const unkept = await requestsOf({ store: false });
  const kept = await requestsOf({});
  expect(kept.sent).toBe(unkept.sent + 1);
  expect((await requestsOf({ previous_response_id: kept.id })).sent).toBe(unkept.sent + 2);
});

test.each([
  [{ model: 'nobody' }, { code: 'model_not_found', param: 'model' }],
  [{ model: 'ears' }, { code: 'model_kind_unsupported', param: 'model' }],
  [{ max_output_tokens: 0 }, { code: 'invalid_request', param: 'max_output_tokens' }],
  [{ conversation: 'conv_1' }, { code: 'invalid_request', param: 'conversation' }],
  [{ background: true }, { code: 'invalid_request', param: 'background' }],
  [{ input: [] }, { code: 'invalid_request', param: 'input' }],
  [{ skills: 'none' }, { code: 'skill_unresolved', param: 'skills' }],
])('%j is a 400 in the envelope of OpenAI', async (more, error) => {
  upstream.script(answersPlainly);
  const response = await service.post(
    { model: 'writer', input: 'Say hello', ...more },
    { path: '/v1/responses' },
  );
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', ...error } });
  expect(upstream.requests).toEqual([]);
});

test('an unexpected failure is a 500 that tells nothing of it', async () => {
  const catalogue = {} as typeof service.deps.catalogue;
  const answer = await responsesRoutes({ ...service.deps, catalogue }).request('/v1/responses', {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}` },
    body: JSON.stringify({ model: 'writer', input: 'Say hello' }),
  });
  expect([answer.status, await answer.json()]).toEqual([500, { error: 'Internal server error' }]);
  expect(service.log).toContainEqual(expect.objectContaining({ message: 'request failed', status: 500 }));
});

test('a field that the upstream refuses is named as the caller wrote it', async () => {
  const refusal = { message: 'Too many tokens', param: 'max_tokens', code: 'invalid_value' };
  upstream.script((wire) => wire.json(400, { error: refusal }));
  const error = { status: 400, param: 'max_output_tokens', code: 'invalid_value' };
  const asked = client().responses.create({ model: 'writer', input: 'Say hello', max_output_tokens: 5 });
  await expect(asked).rejects.toMatchObject(error);
});

test('an upstream that drops `max_tokens` is not told the limit of a response', async () => {
  const model = service.deps.catalogue.models[0]!;
  const { upstream: own } = model;
  model.upstream = { ...own, fields: { max_tokens: 'drop' } };
  upstream.script(answersPlainly);
  try {
    await client().responses.create({ model: 'writer', input: 'Say hello', max_output_tokens: 5 });
  } finally {
    model.upstream = own;
  }
  expect(upstream.requests.at(-1)?.body).not.toHaveProperty('max_tokens');
});

test('an upstream that knows the limit only by another name gets it by that name', async () => {
  const refusal =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  upstream.script(
    (wire) =>
      wire.json(400, { error: { message: refusal, param: 'max_tokens', code: 'unsupported_parameter' } }),
    answersPlainly,
  );
  await client().responses.create({ model: 'writer', input: 'Say hello', max_output_tokens: 5 });
  expect(upstream.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 5 });
  expect(upstream.requests.at(-1)?.body).not.toHaveProperty('max_tokens');
});

test('a call of a tool in a namespace names both, and goes back to the model under its name there', async () => {
  upstream.script(calls('crm__find', { name: 'Ada' }));
  const find = { type: 'function' as const, name: 'find', parameters: { type: 'object' } };
  const tools = [{ type: 'namespace' as const, name: 'crm', description: 'Customers.', tools: [find] }];
  const asked = { model: 'writer', input: 'Find Ada', tools };
  const stream = client().responses.stream(asked);
  const told: unknown[] = [];
  for await (const one of stream) if (one.type === 'response.output_item.added') told.push(one.item);
  const { output } = await stream.finalResponse();
  const call = { type: 'function_call', namespace: 'crm', name: 'find', call_id: 'call_crm__find' };
  expect([told, output]).toMatchObject([[call], [call]]);
  upstream.script(answersPlainly);
  await client().responses.create({
    ...asked,
    input: [
      ...(output as OpenAI.Responses.ResponseInputItem[]),
      { type: 'function_call_output', call_id: 'call_crm__find', output: 'Ada' },
    ],
  });
  expect(upstream.requests[0]?.body).toMatchObject({
    tools: [{ function: { name: 'crm__find' } }],
    messages: [{ tool_calls: [{ function: { name: 'crm__find' } }] }, { role: 'tool' }],
  });
});
