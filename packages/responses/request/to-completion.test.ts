import { describe, expect, test } from 'vitest';
import { placeOf } from '../errors.ts';
import { parseRequest } from './read-request.ts';
import { refuseFields } from './refuse-fields.ts';
import type { Item, ResponsesRequest } from './schema.ts';
import { toCompletion } from './to-completion.ts';

const user: Item = { role: 'user', content: 'Hi' };
const call = (call_id: string): Item => ({ type: 'function_call', call_id, name: 'add', arguments: '{}' });
const called = (id: string) => ({ id, type: 'function', function: { name: 'add', arguments: '{}' } });

const messagesOf = (input: Item[], more: object = {}): unknown =>
  (
    toCompletion({ model: 'm', ...more } as ResponsesRequest, { earlier: [], own: input }) as {
      messages: unknown;
    }
  ).messages;

describe('items become messages', () => {
  const rows: [name: string, input: Item[], messages: unknown[]][] = [
    ['a message without a type', [user], [{ role: 'user', content: 'Hi' }]],
    [
      'parts of a message, of which one text alone stays a text',
      [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'low' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' },
            { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
          ],
        },
      ],
      [
        { role: 'user', content: 'Hi' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' } },
            { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
          ],
        },
      ],
    ],
    [
      'system and developer messages at the beginning, which are one',
      [{ role: 'system', content: 'A' }, { role: 'developer', content: 'B' }, user],
      [
        { role: 'system', content: 'A\n\nB' },
        { role: 'user', content: 'Hi' },
      ],
    ],
    [
      'a developer message further on, which stays there',
      [user, { role: 'developer', content: [{ type: 'input_text', text: 'B' }] }],
      [
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'B' },
      ],
    ],
    [
      'a turn: thoughts, text and calls are one message',
      [
        user,
        { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait' }] },
        call('a'),
        call('b'),
        { type: 'function_call_output', call_id: 'a', output: '1' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: '2' }] },
      ],
      [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: 'Wait',
          reasoning_content: 'Hm.',
          tool_calls: [called('a'), called('b')],
        },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
      ],
    ],
    [
      'two answers in a row, which stay two',
      [user, { role: 'assistant', content: 'A' }, { role: 'assistant', content: 'B' }],
      [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'A' },
        { role: 'assistant', content: 'B' },
      ],
    ],
    [
      'a refusal, as what was said',
      [user, { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }],
      [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'No.' },
      ],
    ],
    [
      'encrypted reasoning, of which nothing can be said',
      [user, { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }, user],
      [
        { role: 'user', content: 'Hi' },
        { role: 'user', content: 'Hi' },
      ],
    ],
    [
      'a call of a custom tool with its output',
      [
        { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** x' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
      ],
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: '*** x' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
      ],
    ],
  ];
  test.each(rows)('%s', (_, input, messages) => {
    expect(messagesOf(input)).toEqual(messages);
  });

  test('instructions stand before them', () => {
    expect(messagesOf([{ role: 'developer', content: 'B' }, user], { instructions: 'A' })).toEqual([
      { role: 'system', content: 'A\n\nB' },
      { role: 'user', content: 'Hi' },
    ]);
  });
});

test('fields become those of a chat completion', () => {
  const parameters = { type: 'object' };
  const schema = { type: 'object', properties: {} };
  const request = {
    model: 'm',
    stream: true,
    max_output_tokens: 9,
    temperature: 0,
    top_p: 0.5,
    top_logprobs: 2,
    parallel_tool_calls: false,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'n', schema, strict: true }, verbosity: 'low' },
    tools: [
      { type: 'function', name: 'add', description: 'Adds.', parameters, strict: null },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    ],
    tool_choice: { type: 'function', name: 'add' },
    service_tier: 'flex',
    metadata: { a: 'b' },
    user: 'u',
    store: false,
    skills: 'tone',
  } as unknown as ResponsesRequest;
  expect(toCompletion(request, { earlier: [], own: [user] })).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    max_tokens: 9,
    temperature: 0,
    top_p: 0.5,
    logprobs: true,
    top_logprobs: 2,
    parallel_tool_calls: false,
    reasoning_effort: 'low',
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
    verbosity: 'low',
    tools: [
      { type: 'function', function: { name: 'add', description: 'Adds.', parameters } },
      {
        type: 'custom',
        custom: { name: 'patch', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'add' } },
    service_tier: 'flex',
    skills: 'tone',
  });
});

test('a tool of a namespace has both names in chat, there and back', () => {
  const parameters = { type: 'object' };
  const crm = [{ type: 'function', name: 'find', parameters, defer_loading: true }];
  const tools = [
    { type: 'function', name: 'find' },
    { type: 'namespace', name: 'crm', description: 'Customers.', tools: crm },
  ];
  const request = { model: 'm', tools } as unknown as ResponsesRequest;
  const own = [user, { ...call('a'), name: 'find', namespace: 'crm' }];
  const { messages, tools: told } = toCompletion(request, { earlier: [], own }) as {
    messages: unknown[];
    tools: unknown;
  };
  expect(told).toEqual([
    { type: 'function', function: { name: 'find' } },
    { type: 'function', function: { name: 'crm__find', parameters } },
  ]);
  expect(messages[1]).toMatchObject({ tool_calls: [{ function: { name: 'crm__find' } }] });
});

test('the choice among allowed tools is one of a chat completion', () => {
  const tools = [{ type: 'function', name: 'add' }];
  const request = { model: 'm', tools, tool_choice: { type: 'allowed_tools', mode: 'required', tools } };
  expect(toCompletion(request as unknown as ResponsesRequest, { earlier: [], own: [user] })).toMatchObject({
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'add' } }] },
    },
  });
});

const allowing = (...tools: unknown[]) => ({
  tools: [{ type: 'function', name: 'a' }],
  tool_choice: { type: 'allowed_tools', mode: 'auto', tools },
});

const image = (part: object): Item => ({ role: 'user', content: [part] });

test.each<[field: string, request: object, input?: Item[]]>([
  ['input', {}, []],
  ['input[0].type', {}, [{ type: 'computer_call' }]],
  ['input[0].role', {}, [{ role: 'tool', content: 'x' }]],
  ['input[0].content', {}, [{ role: 'user' }]],
  ['input[0].content[0].type', {}, [image({ type: 'input_video' })]],
  ['input[0].content[0].file_id', {}, [image({ type: 'input_image', file_id: 'file_1' })]],
  ['input[0].content[0].file_url', {}, [image({ type: 'input_file', file_url: 'http://a' })]],
  ['input[0].content[0].image_url', {}, [image({ type: 'input_image' })]],
  ['input[0].call_id', {}, [{ type: 'function_call_output', output: 'x' }]],
  ['input[1].arguments', {}, [user, { type: 'function_call', call_id: 'a', name: 'add' }]],
  ['tools[0].type', { tools: [{ type: 'web_search' }] }],
  ['tools[0].type', { tools: [{ type: { toString: 1 } }] }],
  ['tools[0].name', { tools: [{ type: 'function' }] }],
  ['tools[0].tools', { tools: [{ type: 'namespace', name: 'a' }] }],
  ['tools[0].tools[0].type', { tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'mcp' }] }] }],
  ['tool_choice', { tools: [{ type: 'function', name: 'a' }], tool_choice: { type: 'file_search' } }],
  ...['required', { type: 'function', name: 'a' }, { type: 'allowed_tools', tools: [] }].flatMap(
    (tool_choice): [string, object][] => [
      ['tool_choice', { tool_choice }],
      ['tool_choice', { tool_choice, tools: [] }],
    ],
  ),
  ['tool_choice', { tool_choice: 'sometimes' }],
  ['tool_choice.tools[1]', allowing({ type: 'function', name: 'a' }, null)],
  ['tool_choice.tools[0]', allowing('auto')],
  ['tool_choice.tools[0].name', allowing({ type: 'custom' })],
  ['text.format.type', { text: { format: { type: 'grammar' } } }],
  ['conversation', { conversation: 'conv_1' }],
  ['prompt', { prompt: { id: 'pmpt_1' } }],
  ['background', { background: true }],
  ['truncation', { truncation: 'auto' }],
  ['top_k', { top_k: 5 }],
  ['toString', { toString: 5 }],
  ['reasoning.mode', { reasoning: { effort: 'low', mode: 'pro' } }],
  ['text.valueOf', { text: { valueOf: 1 } }],
  ['include[1]', { include: ['reasoning.encrypted_content', 'nonsense'] }],
])('%s is refused by its name', (field, more, input = [user]) => {
  const request = { model: 'm', ...more } as unknown as ResponsesRequest;
  const read = () => {
    refuseFields(request);
    toCompletion(request, { earlier: input.length > 0 ? [user] : [], own: input });
  };
  expect(read).toThrow(
    expect.objectContaining({ details: { issues: [expect.objectContaining({ field })] } }),
  );
});

test.each(['none', 'auto', null])('without tools, the choice %s chooses nothing', (tool_choice) => {
  const request = { model: 'm', tool_choice } as ResponsesRequest;
  expect(toCompletion(request, { earlier: [], own: [user] })).not.toHaveProperty('tool_choice');
});

test.each([
  ['__proto__', '{"model":"m","input":"a","__proto__":{"a":1}}'],
  ['constructor', '{"model":"m","input":"a","constructor":1}'],
  ['reasoning.constructor', '{"model":"m","input":"a","reasoning":{"constructor":1}}'],
  ['metadata.__proto__', '{"model":"m","input":"a","metadata":{"__proto__":"a"}}'],
  ['input[1].prototype', '{"model":"m","input":[{"role":"user"},{"prototype":1}]}'],
])('the name %s is refused, and not lost', (field, text) => {
  expect(() => parseRequest(text)).toThrow(
    expect.objectContaining({ details: { issues: [expect.objectContaining({ field })] } }),
  );
});

test.each([
  ['messages[2].content[0].image_url', 'input'],
  ['max_tokens', 'max_output_tokens'],
  ['max_completion_tokens', 'max_output_tokens'],
  ['response_format.json_schema', 'text.format'],
  ['tools[3].function.parameters', 'tools[3].parameters'],
  ['reasoning_effort', 'reasoning.effort'],
  ['model', 'model'],
])('a fault of %s is told as one of %s', (field, place) => {
  expect(placeOf(field)).toBe(place);
});
