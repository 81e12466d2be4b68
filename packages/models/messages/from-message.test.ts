import { limits } from '@errand/platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUsage } from '../usage.ts';
import { createMessageEvents } from './from-events.ts';
import { fromMessage } from './from-message.ts';
import { toChatUsage } from './message-usage.ts';
import { finishReasonOf, stopReasonOf } from './stop-reasons.ts';

type Fields = Record<string, unknown>;

const usage = {
  input_tokens: 20,
  cache_read_input_tokens: 8,
  cache_creation_input_tokens: 4,
  output_tokens: 5,
};
const messageOf = (content: unknown, more: object = {}) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content },
  ...{ stop_reason: 'end_turn', stop_sequence: null, usage },
  ...more,
});

test('what an upstream bills beside the message is part of its usage, once', () => {
  const step = (type: string, input_tokens: number, output_tokens: number) => ({
    ...{ type, input_tokens, output_tokens, cache_read_input_tokens: 1, cache_creation_input_tokens: 2 },
  });
  const iterations = [
    step('compaction', 180_000, 3_500),
    step('message', 20, 5),
    null,
    { type: 'compaction' },
  ];
  const expected = { inputTokens: 180_035, cachedInputTokens: 9, cacheWriteTokens: 6, outputTokens: 3_505 };
  expect(readUsage(toChatUsage({ ...usage, iterations }))).toEqual(expected);
  expect(readUsage(toChatUsage({ ...usage, iterations: 'x' }))).toMatchObject({ outputTokens: 5 });
  const events = createMessageEvents();
  events.read({ type: 'message_start', message: { usage } });
  const [last] = events.read({ type: 'message_delta', delta: {}, usage: { output_tokens: 5, iterations } })!;
  expect(readUsage(last!.usage)).toEqual(expected);
});

test('a name that each chunk repeats is short', () => {
  const events = createMessageEvents();
  const long = 'x'.repeat(1_000_000);
  events.read({ type: 'message_start', message: { id: long, model: long } });
  const delta = { type: 'text_delta', text: 'a' };
  expect(JSON.stringify(events.read({ type: 'content_block_delta', index: 0, delta })).length).toBeLessThan(
    300,
  );
});

describe('a message', () => {
  test('is a chat completion with its text, thinking and calls', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'sealed' },
      { type: 'text', text: 'Hel' },
      { type: 'unknown', text: 'not this' },
      { type: 'text', text: 'lo', citations: [] },
      { type: 'tool_use', id: 'c1', name: 'look', input: { a: 1 } },
      { type: 'tool_use', id: 'c2', name: 'stop' },
    ];
    expect(fromMessage(messageOf(content, { stop_reason: 'tool_use' }))).toEqual({
      id: 'msg_1',
      object: 'chat.completion',
      model: 'claude',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hello',
            reasoning_content: 'Hm',
            thinking_blocks: content.slice(0, 2),
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
              { id: 'c2', type: 'function', function: { name: 'stop', arguments: '{}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: toChatUsage(usage),
    });
  });

  test('that says nothing has an empty text, and one that only calls has none', () => {
    const said = (content: unknown) => (fromMessage(messageOf(content))!.choices[0] as Fields).message;
    expect(said([])).toEqual({ role: 'assistant', content: '' });
    expect(said([{ type: 'tool_use', id: 'c', name: 'n', input: {} }])).toMatchObject({ content: null });
  });

  test.each([
    null,
    'text',
    [],
    {},
    { type: 'error', error: { message: 'no' } },
    { content: 'text' },
    { content: [], error: {} },
  ])('that is none cannot be read: %j', (body) => expect(fromMessage(body)).toBeUndefined());
});

describe('the usage of a message', () => {
  test('has what the provider bills for summaries, which the counts beside them leave out', () => {
    const summary = { ...usage, type: 'compaction', input_tokens: 1_000, output_tokens: 300 };
    const iterations = [summary, { ...usage, type: 'message' }, null, { type: 'compaction' }];
    expect(readUsage(toChatUsage({ ...usage, iterations }))).toMatchObject({
      inputTokens: 1_000 + 20 + 2 * 12,
      cachedInputTokens: 16,
      cacheWriteTokens: 8,
      outputTokens: 305,
    });
  });

  test('of a stream is not taken back by a last report that has 0 for the input', () => {
    const reader = createMessageEvents();
    reader.read({ type: 'message_start', message: { usage: { ...usage, output_tokens: 1 } } });
    const last = { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 70 };
    const [chunk] = reader.read({ type: 'message_delta', delta: {}, usage: last })!;
    expect(readUsage(chunk!.usage)).toMatchObject({
      inputTokens: 32,
      cachedInputTokens: 8,
      outputTokens: 70,
    });
  });
});

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
  ['constructor', 'stop'],
  [null, 'stop'],
])('the stop reason %s is the finish reason %s', (stop, finish) => {
  expect(finishReasonOf(stop)).toBe(finish);
});

test.each([
  ['stop', false, 'end_turn'],
  ['stop', true, 'tool_use'],
  ['tool_calls', true, 'tool_use'],
  ['function_call', true, 'tool_use'],
  ['length', true, 'max_tokens'],
  ['content_filter', false, 'refusal'],
  ['eos', false, 'end_turn'],
  [undefined, false, 'end_turn'],
  ['toString', false, 'end_turn'],
])('the finish reason %s, called: %s, is the stop reason %s', (finish, called, stop) => {
  expect(stopReasonOf(finish, called)).toBe(stop);
});

test.each([
  [
    'all counts',
    { ...usage, output_tokens_details: { thinking_tokens: 3 } },
    { inputTokens: 32, cachedInputTokens: 8, cacheWriteTokens: 4, outputTokens: 5, reasoningTokens: 3 },
  ],
  [
    'no cache',
    { input_tokens: 20, cache_read_input_tokens: null, output_tokens: 0 },
    { inputTokens: 20, cachedInputTokens: 0, outputTokens: 0 },
  ],
  [
    'all of it from the cache',
    { ...usage, input_tokens: 0 },
    { inputTokens: 12, cachedInputTokens: 8, cacheWriteTokens: 4, outputTokens: 5 },
  ],
  ['no input', { input_tokens: 0, output_tokens: 5 }, undefined],
  ['no output', { input_tokens: 20 }, undefined],
  ['a text', { input_tokens: '20', output_tokens: 5 }, undefined],
  ['a negative number', { input_tokens: 20, output_tokens: -5 }, undefined],
  ['nothing', null, undefined],
])('the usage of a message with %s is read as that of a chat completion', (_, told, expected) => {
  expect(readUsage(toChatUsage(told))).toEqual(expected);
});

/** What the chunks of events say, as a chat completion in one piece would. */
function join(events: readonly Fields[]) {
  const reader = createMessageEvents();
  const message: Fields & { tool_calls: Fields[] } = {
    content: '',
    reasoning_content: '',
    thinking_blocks: [],
    tool_calls: [],
  };
  const told: Fields = {};
  for (const chunk of events.flatMap((event) => reader.read(event) ?? [])) {
    const [{ delta, finish_reason }] = chunk.choices as [{ delta: Fields; finish_reason: unknown }];
    message.content = `${message.content}${delta.content ?? ''}`;
    message.reasoning_content = `${message.reasoning_content}${delta.reasoning_content ?? ''}`;
    (message.thinking_blocks as unknown[]).push(...((delta.thinking_blocks ?? []) as unknown[]));
    for (const { index, function: called, ...call } of (delta.tool_calls ?? []) as (Fields & {
      index: number;
      function: Fields;
    })[]) {
      message.tool_calls[index] ??= {
        ...call,
        function: { name: called.name, arguments: '' },
      };
      const into = message.tool_calls[index].function as { arguments: string };
      into.arguments += called.arguments as string;
    }
    if (finish_reason !== null) told.finish_reason = finish_reason;
    if (chunk.usage) told.usage = chunk.usage;
    Object.assign(told, { id: chunk.id, model: chunk.model });
  }
  return { message, told, done: reader.done() };
}

const cut = (text: string, at: number): string[] => [text.slice(0, at), text.slice(at)];

/** The events of a message, with each text cut in two. */
function eventsOf({ content, usage: counts, stop_reason, ...message }: Fields, at: number): Fields[] {
  const deltas = (block: Fields): Fields[] => {
    if (block.type === 'text')
      return cut(block.text as string, at).map((text) => ({ type: 'text_delta', text }));
    if (block.type === 'thinking')
      return [
        ...cut(block.thinking as string, at).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    if (block.type !== 'tool_use' || at === 0) return [];
    return cut(JSON.stringify(block.input), at).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }));
  };
  const beginning = (block: Fields) =>
    block.type === 'tool_use' && at > 0
      ? { ...block, input: {} }
      : block.type === 'text'
        ? { ...block, text: '' }
        : block.type === 'thinking'
          ? { ...block, thinking: '', signature: '' }
          : block;
  const { output_tokens, ...input } = counts as Fields;
  return [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...(content as Fields[]).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: beginning(block) },
      ...deltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage: { input_tokens: null, output_tokens } },
    { type: 'message_stop' },
  ];
}

const word = fc.string({ unit: 'grapheme', maxLength: 8 });
const block: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: word }),
  fc.record({ type: fc.constant('thinking'), thinking: word, signature: fc.oneof(word, fc.constant('sig')) }),
  fc.record({ type: fc.constant('redacted_thinking'), data: word }),
  fc.record({
    type: fc.constant('tool_use'),
    id: word,
    name: word,
    input: fc.dictionary(word, fc.jsonValue({ maxDepth: 1 })),
  }),
  fc.record({ type: fc.constant('later'), text: word }),
);
const messages = fc
  .record({
    content: fc.array(block, { maxLength: 5 }),
    stop_reason: fc.constantFrom('end_turn', 'tool_use', 'max_tokens'),
  })
  .map(({ content, ...more }) => messageOf(content, more) as Fields);

describe('the events of a message', () => {
  test('say in chunks what the whole message says', () => {
    fc.assert(
      fc.property(messages, fc.nat({ max: 4 }), (message, at) => {
        const { message: said, told, done } = join(eventsOf(message, at));
        const whole = fromMessage(message)!;
        const [choice] = whole.choices as [{ message: Fields; finish_reason: string }];
        const parsed = (calls: unknown) =>
          ((calls ?? []) as { function: { arguments: string } }[]).map((call) => ({
            ...call,
            function: { ...call.function, arguments: JSON.parse(call.function.arguments) },
          }));
        expect(done).toBe(true);
        expect(told).toEqual({
          id: whole.id,
          model: whole.model,
          usage: whole.usage,
          finish_reason: choice.finish_reason,
        });
        expect(said).toMatchObject({
          content: choice.message.content ?? '',
          reasoning_content: choice.message.reasoning_content ?? '',
          thinking_blocks: choice.message.thinking_blocks ?? [],
        });
        expect(parsed(said.tool_calls)).toEqual(parsed(choice.message.tool_calls));
      }),
    );
  });

  test('that do not name its model have chunks without one', () => {
    const [chunk] = createMessageEvents().read({ type: 'message_start', message: {} }) ?? [];
    expect(Object.keys(chunk ?? {})).toEqual(['object', 'choices']);
  });

  test('bring thinking that is longer than a conversation may bring back as text alone', () => {
    const read = (characters: number) => {
      const reader = createMessageEvents();
      const [start, delta] = [
        { type: 'content_block_start', content_block: { type: 'thinking', signature: 'sig' } },
        { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'x' } },
      ];
      const long = { ...delta, delta: { ...delta.delta, thinking: 'x'.repeat(characters) } };
      const sign = { type: 'content_block_delta', delta: { type: 'signature_delta', signature: 'sig' } };
      for (const event of [start, long]) reader.read(event);
      const told = reader.read(delta);
      reader.read(sign);
      return { told, end: reader.read({ type: 'content_block_stop' }) };
    };
    const choices = [{ index: 0, delta: { reasoning_content: 'x' }, finish_reason: null }];
    for (const more of [0, 5]) expect(read(limits.opaqueBytes + more).told).toMatchObject([{ choices }]);
    expect(read(limits.opaqueBytes - 1).end).toMatchObject([
      { choices: [{ delta: { thinking_blocks: [{ thinking: 'x'.repeat(limits.opaqueBytes) }] } }] },
    ]);
    expect(read(limits.opaqueBytes).end).toEqual([]);
  });

  test('of any shape never throw', () => {
    const types = [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
      'error',
      'later',
    ];
    const event = fc.record(
      {
        type: fc.constantFrom(...types),
        message: fc.jsonValue(),
        content_block: fc.oneof(block, fc.jsonValue()),
        delta: fc.oneof(
          fc.record(
            {
              type: fc.constantFrom(
                'text_delta',
                'thinking_delta',
                'signature_delta',
                'input_json_delta',
                'citations_delta',
              ),
            },
            { requiredKeys: [] },
          ),
          fc.jsonValue(),
        ),
        usage: fc.jsonValue(),
        index: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const reader = createMessageEvents();
        for (const each of events)
          expect(reader.read(each as Fields) === undefined).toBe(each.type === 'error');
      }),
    );
  });
});
