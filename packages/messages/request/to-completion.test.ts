import { type Catalogue, parseCatalogue } from '@errand/models';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idForCaller } from '../call-id.ts';
import { makeMark, tagOf } from '../thinking/mark.ts';
import type { Block, MessagesRequest } from '../wire.ts';
import { toCompletion } from './to-completion.ts';

const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
const upstream = (more: object = {}) => ({ baseUrl: 'http://a.test/v1', model: 'x', ...more });

const catalogueOf = (...models: object[]): Catalogue =>
  parseCatalogue({ models: models.map((model) => ({ kind: 'vision', price, ...model })) }, () => undefined);

const catalogue = catalogueOf(
  { id: 'm', upstream: upstream() },
  { id: 'claude', upstream: upstream({ api: 'messages' }) },
  { id: 'both', upstream: upstream({ api: 'messages' }), fallbacks: [upstream()] },
  { id: 'keeping', upstream: upstream({ caching: 'anthropic' }) },
  { id: 'trying', upstream: upstream({ fields: { reasoning_effort: 'pass' } }) },
  { id: 'small', upstream: upstream(), contextTokens: 100_000, maxOutputTokens: 800 },
  { id: 'tight', upstream: upstream(), contextTokens: 1_000 },
  { id: 'wide', upstream: upstream(), contextTokens: 100_000 },
);

const complete = (more: object, model = 'm') => {
  const request = { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...more };
  return toCompletion(
    { catalogue },
    {
      request: request as unknown as MessagesRequest,
      version: '2023-06-01',
      betas: undefined,
      requestId: 'r',
      messageId: 'msg_1',
      tag: tagOf(model),
    },
  );
};

const messagesOf = (messages: object[], more: object = {}, model = 'm') =>
  complete({ messages, ...more }, model).messages;

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = (said: string, more: object = {}) => ({ type: 'text', text: said, ...more });
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'add', input });
const result = (id: string, content?: unknown, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content !== undefined && { content }),
  ...more,
});
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const pngPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const called = (id: string, json = '{}') => ({
  id,
  type: 'function',
  function: { name: 'add', arguments: json },
});
const hi = { role: 'user', content: 'Hi' };

const documentOf = (source: object, more: object = {}) => user({ type: 'document', source, ...more });
const mark = (rest?: string, model = 'm') => makeMark(tagOf(model), 'm', rest);
const thought = (thinking: string, signature: string) => ({ type: 'thinking', thinking, signature });

describe('blocks become parts', () => {
  test.each<[string, object, unknown]>([
    ['one text', user(text('Hi')), 'Hi'],
    ['texts', user(text('a'), text('b', { citations: [{}] })), [text('a'), text('b')]],
    ['an empty text, which is none', user(text(''), text('a')), 'a'],
    ['an image', user(text('See'), png), [text('See'), pngPart]],
    [
      'an image at an address',
      user({ type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } }),
      [{ type: 'image_url', image_url: { url: 'https://a.test/b.png' } }],
    ],
    [
      'a file',
      documentOf({ type: 'base64', media_type: 'application/pdf', data: 'AA' }, { title: 'A.pdf' }),
      [{ type: 'file', file: { filename: 'A.pdf', file_data: 'data:application/pdf;base64,AA' } }],
    ],
    [
      'a text document with its title',
      documentOf({ type: 'text', media_type: 'text/plain', data: 'All.' }, { title: 'A', context: 'Old' }),
      'A\nOld\n\nAll.',
    ],
    [
      'a document of blocks',
      documentOf({ type: 'content', content: [text('a'), png] }, { title: 'A' }),
      [text('A'), text('a'), pngPart],
    ],
    [
      'a found text',
      user({ type: 'search_result', title: 'A', source: 'https://a.test', content: [text('a'), text('b')] }),
      'A\nhttps://a.test\na\nb',
    ],
    ['kinds that no chat model knows, which are none', user({ type: 'container_upload' }, text('a')), 'a'],
  ])('%s', (_, message, content) => {
    expect(messagesOf([message])).toEqual([{ role: 'user', content }]);
  });
});

describe('messages become those of a chat completion', () => {
  test.each<[string, object[], object[]]>([
    [
      'roles that few know',
      [
        { role: 'ctx', content: 'a' },
        { role: 'msg', content: 'b' },
      ],
      [{ role: 'user', content: [text('a'), text('b')] }],
    ],
    [
      'an answer with several calls is one message',
      [hi, assistant(text('Wait'), use('a', { x: 1 }), text('!'), use('b'))],
      [hi, { role: 'assistant', content: 'Wait!', tool_calls: [called('a', '{"x":1}'), called('b')] }],
    ],
    [
      'answers in a row are one message',
      [hi, assistant(text('a')), assistant(text('b'), use('c'))],
      [hi, { role: 'assistant', content: 'a\n\nb', tool_calls: [called('c')] }],
    ],
    [
      'an answer that says nothing to this model goes, and two turns are one',
      [hi, assistant({ type: 'server_tool_use', id: 'a' }, { type: 'web_search_tool_result' }), hi],
      [{ role: 'user', content: [text('Hi'), text('Hi')] }],
    ],
    [
      'results stand before all else of their turn, in the order of the calls, whatever their own',
      [
        assistant(use('a'), use('b')),
        user(text('x'), result('b', '2')),
        user(result('a', [text('1'), text('!')])),
      ],
      [
        { role: 'assistant', content: null, tool_calls: [called('a'), called('b')] },
        { role: 'tool', tool_call_id: 'a', content: '1\n!' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        { role: 'user', content: 'x' },
      ],
    ],
    [
      'results of calls that the answer before them did not make come last, as they came',
      [
        assistant(use('old')),
        user(result('old', '0')),
        assistant(use(idForCaller('f:0')), use('b')),
        user(result('old', '1'), result('b', '2'), result('new', '3'), result(idForCaller('f:0'), '4')),
        user(result('b', '5')),
      ],
      [
        { role: 'assistant', content: null, tool_calls: [called('old')] },
        { role: 'tool', tool_call_id: 'old', content: '0' },
        { role: 'assistant', content: null, tool_calls: [called('f:0'), called('b')] },
        { role: 'tool', tool_call_id: 'f:0', content: '4' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        { role: 'tool', tool_call_id: 'b', content: '5' },
        { role: 'tool', tool_call_id: 'old', content: '1' },
        { role: 'tool', tool_call_id: 'new', content: '3' },
      ],
    ],
    [
      'a result that failed, and one without content',
      [assistant(use('a'), use('b')), user(result('a', 'No.', { is_error: true }), result('b'))],
      [
        { role: 'assistant', content: null, tool_calls: [called('a'), called('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'Error: No.' },
        { role: 'tool', tool_call_id: 'b', content: '' },
      ],
    ],
    [
      'pictures of a result are told behind the results, with its id',
      [assistant(use('a')), user(result('a', [text('See'), png]), text('And?'))],
      [
        { role: 'assistant', content: null, tool_calls: [called('a')] },
        { role: 'tool', tool_call_id: 'a', content: 'See' },
        { role: 'user', content: [text('Of the result of a:'), pngPart, text('And?')] },
      ],
    ],
    [
      'an id that the protocol does not allow goes back as the model gave it',
      [assistant(use(idForCaller('functions.add:0'))), user(result(idForCaller('functions.add:0'), '1'))],
      [
        { role: 'assistant', content: null, tool_calls: [called('functions.add:0')] },
        { role: 'tool', tool_call_id: 'functions.add:0', content: '1' },
      ],
    ],
    [
      'an instruction behind other messages stands in tags in its turn',
      [
        hi,
        { role: 'system', content: [text('Be brief.')] },
        assistant(text('a')),
        { role: 'system', content: 'B' },
      ],
      [
        { role: 'user', content: [text('Hi'), text('<system>\nBe brief.\n</system>')] },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: '<system>\nB\n</system>' },
      ],
    ],
    [
      'an instruction before all messages is part of the prompt',
      [{ role: 'system', content: 'A' }, hi],
      [{ role: 'system', content: 'A' }, hi],
    ],
  ])('%s', (_, messages, expected) => {
    expect(messagesOf(messages)).toEqual(expected);
  });

  test.each<[string, unknown, string | undefined]>([
    ['a text', 'A', 'A'],
    ['blocks', [text('A'), text(''), text('B')], 'A\n\nB'],
    ['no text at all', [], undefined],
    [
      'a line for bills, which is another one in each request',
      [text('x-anthropic-billing-header: cc_version=2; cch=1f;'), text('A')],
      'A',
    ],
    ['the same line in a text', 'x-anthropic-billing-header: cch=1f;\nA', 'A'],
  ])('the prompt is %s', (_, system, content) => {
    const prompt = content === undefined ? [] : [{ role: 'system', content }];
    expect(messagesOf([hi], { system })).toEqual([...prompt, hi]);
  });
});

describe('thinking goes back', () => {
  test.each<[string, object, object]>([
    ['to the model that made it', thought('Hm.', mark()), { reasoning_content: 'Hm.' }],
    ['under the name that it came with', thought('Hm.', mark('reasoning')), { reasoning: 'Hm.' }],
    ['to no other model', thought('Hm.', mark('', 'claude')), {}],
    ['to no translated model if a provider signed it', thought('Hm.', makeMark(tagOf('m'), 'n', 'EqQB')), {}],
    ['to no translated model if it came from elsewhere', thought('Hm.', 'EqQBCgIYAh'), {}],
    ['to no translated model if it is hidden', { type: 'redacted_thinking', data: mark() }, {}],
  ])('%s', (_, block, fields) => {
    const [, answer] = messagesOf([hi, assistant(block, text('a'))]) as object[];
    expect(answer).toEqual({ role: 'assistant', content: 'a', ...fields });
  });

  test('in several blocks is one text', () => {
    const blocks = [thought('a', mark()), text('x'), thought('b', mark()), use('c')];
    const [, answer] = messagesOf([hi, assistant(...blocks)]) as object[];
    expect(answer).toMatchObject({ reasoning_content: 'ab', content: 'x' });
  });
});

describe('fields become those of a chat completion', () => {
  const schema = { type: 'object' };
  const tools = [{ name: 'add', description: 'Adds.', input_schema: schema }];
  const add = { type: 'function', function: { name: 'add', description: 'Adds.', parameters: schema } };

  test('all of them', () => {
    const request = {
      ...{ stream: true, temperature: 0, top_p: 0.5, top_k: 3, stop_sequences: ['x'] },
      tools: [{ ...tools[0], type: 'custom', strict: true, cache_control: {}, eager_input_streaming: true }],
      tool_choice: { type: 'tool', name: 'add', disable_parallel_tool_use: true },
      thinking: { type: 'adaptive', display: 'omitted' },
      context_management: { edits: [] },
      diagnostics: {},
      metadata: { user_id: 'u' },
      output_config: { effort: 'high', format: { type: 'json_schema', schema } },
      skills: 'tone',
      ...{ mcp_servers: [], container: 'c', service_tier: 'standard_only' },
    };
    expect(complete(request)).toEqual({
      ...{ model: 'm', messages: [hi], stream: true, max_tokens: 9, stop: ['x'] },
      ...{ temperature: 0, top_p: 0.5, top_k: 3, user: 'u', skills: 'tone', service_tier: 'default' },
      tools: [{ ...add, function: { ...add.function, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'add' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    });
  });

  test.each([
    ['auto', 'auto'],
    ['any', 'required'],
    ['none', 'none'],
  ])('the choice %s is %s, and without tools nothing', (type, choice) => {
    expect(complete({ tools, tool_choice: { type } })).toMatchObject({ tool_choice: choice });
    expect(complete({ tool_choice: { type } })).not.toHaveProperty('tool_choice');
  });

  test.each([
    ['low', 'low'],
    ['xhigh', 'high'],
    ['max', 'high'],
    ['utmost', undefined],
  ])('effort %s is %s for upstreams that are said to take it, and nothing for others', (effort, told) => {
    expect(complete({ output_config: { effort } }, 'trying').reasoning_effort).toBe(told);
    expect(complete({ output_config: { effort } })).not.toHaveProperty('reasoning_effort');
  });

  test.each([
    ['m', 1_000_000, 1_000_000],
    ['small', 100, 100],
    ['small', 32_000, 800],
    ['tight', 32_000, 500],
    ['wide', 32_000, 32_000],
    ['wide', 1_000_000, 98_958],
  ])('%s is asked %i tokens, and is told %i: what it can write', (model, max_tokens, most) => {
    const messages = [{ role: 'user', content: 'x'.repeat(1_000 - 16) }];
    expect(complete({ max_tokens, messages }, model)).toMatchObject({ max_tokens: most });
  });

  test('marks of what to keep reach upstreams that are said to take them, and no others', () => {
    const kept = { cache_control: { type: 'ephemeral' } };
    const system = [text('A'), text('B', kept)];
    const messages = [user(text('a'), text('b', kept)), assistant(use('c')), user(result('c', '1', kept))];
    expect(messagesOf(messages, { system }, 'keeping')).toEqual([
      { role: 'system', content: system },
      { role: 'user', content: [text('a'), text('b', kept)] },
      { role: 'assistant', content: null, tool_calls: [called('c')] },
      { role: 'tool', tool_call_id: 'c', content: [text('1', kept)] },
    ]);
    expect(JSON.stringify(messagesOf(messages, { system }))).not.toContain('cache_control');
  });
});

describe('a tool that is told later', () => {
  const deferred = { name: 'add', input_schema: {}, defer_loading: true };
  const names = (messages: object[], more: object = {}) => {
    const { tools } = complete({ messages, tools: [deferred, { name: 'find', input_schema: {} }], ...more });
    return (tools as { function: { name: string } }[]).map((tool) => tool.function.name);
  };
  const change = (type: string, tool: object) => ({ role: 'system', content: [{ type, tool }] });
  const reference = { type: 'tool_reference', name: 'add' };

  test('is left out until a result, an instruction or the choice names it', () => {
    expect(names([hi])).toEqual(['find']);
    const found = [assistant(use('a')), user(result('a', [{ type: 'tool_reference', tool_name: 'add' }]))];
    expect(names(found)).toEqual(['add', 'find']);
    expect(messagesOf(found)).toContainEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'The tool add can be called now.',
    });
    expect(names([hi, change('tool_addition', reference)])).toEqual(['add', 'find']);
    expect(names([hi], { tool_choice: { type: 'tool', name: 'add' } })).toEqual(['add', 'find']);
  });

  test('is left out again once it is taken away, and may be defined on the way', () => {
    const added = change('tool_addition', reference);
    expect(names([hi, added, change('tool_removal', reference)])).toEqual(['find']);
    const definition = { name: 'mul', input_schema: {} };
    const defined = change('tool_addition', { type: 'tool_definition', definition });
    expect(names([hi, defined])).toEqual(['find', 'mul']);
    expect(names([hi, user({ type: 'compaction', tool_changes: defined.content })])).toEqual(['find', 'mul']);
  });
});

describe('what only a native model reads', () => {
  const bash = { tools: [{ type: 'bash_20250124', name: 'bash' }] };
  const linked = { messages: [documentOf({ type: 'url', url: 'https://a.test/a.pdf' })] };

  test('is taken where every upstream is native', () => {
    expect(complete(bash, 'claude')).not.toHaveProperty('tools');
    expect(complete(linked, 'claude')).toMatchObject({
      messages: [{ content: [{ type: 'file', file: { file_data: 'https://a.test/a.pdf' } }] }],
    });
  });

  test.each(['m', 'both'])('is refused where another one may answer: %s', (model) => {
    expect(() => complete(bash, model)).toThrow(at('tools[0].type'));
    expect(() => complete(linked, model)).toThrow(at('messages[0].content[0].source.url'));
  });
});

const at = (field: string) =>
  expect.objectContaining({ details: { issues: [expect.objectContaining({ field })] } });

const of = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

describe('what cannot be read is refused by its place', () => {
  test.each<[string, object]>([
    ['messages', { messages: [user(text(''))] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'a' }] }],
    ['messages[0].role', { messages: [{ role: { toString: 1 }, content: 'a' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content[0]', of('a')],
    ['messages[0].content[0]', of(null)],
    ['messages[0].content[0].type', of({ type: { toString: 1 } })],
    ['messages[0].content[0].text', of({ type: 'text' })],
    ['messages[0].content[0].source', of({ type: 'image', source: { type: 'file', file_id: 'f' } })],
    ['messages[0].content[0].source', of({ type: 'document', source: { type: 'file', file_id: 'f' } })],
    ['messages[0].content[0].source.type', of({ type: 'image', source: 'a' })],
    [
      'messages[0].content[0].source.data',
      of({ type: 'image', source: { type: 'base64', media_type: 'a' } }),
    ],
    ['messages[0].content[0].tool_use_id', of({ type: 'tool_result' })],
    ['messages[0].content[0].content[0].text', of(result('a', [{ type: 'text' }]))],
    ['messages[0].content[0].name', { messages: [assistant({ type: 'tool_use', id: 'a' })] }],
    ['messages[1].content', { messages: [hi, { role: 'system' }] }],
    ['messages[0].content', { messages: [{ role: 'system' }, hi] }],
    ['tools[0].name', { tools: [{}] }],
    ['tools[0].type', { tools: [{ type: 'web_search_20260318', name: 'web_search' }] }],
    ['tools[0].type', { tools: [{ type: 'mcp_toolset', mcp_server_name: 'a' }] }],
    ['tools[0].Type', { tools: [{ Type: 'web_search_20260318', name: 'a' }] }],
    ['tool_choice.type', { tool_choice: { type: 'sometimes' } }],
    ['tool_choice.name', { tool_choice: { type: 'tool' } }],
    ['output_config.format.type', { output_config: { format: { type: 'grammar' } } }],
  ])('%s', (field, more) => {
    expect(() => complete(more)).toThrow(at(field));
  });

  test.each(['m', 'claude'])('a tool of the provider is named, for %s too', (model) => {
    const tools = [{ type: 'web_search_20260318', name: 'web_search' }];
    const problem = expect.stringMatching(/^web_search_20260318 is a tool of the provider's own/);
    const issues = [{ field: 'tools[0].type', problem }];
    expect(() => complete({ tools }, model)).toThrow(expect.objectContaining({ details: { issues } }));
    const definition = { type: 'web_search_20260318', name: 'a' };
    const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
    expect(() => complete({ messages: [hi, { role: 'system', content: [addition] }] }, model)).toThrow(
      at('tools[0].type'),
    );
  });
});

const word = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });
const anyBlock = fc.oneof(
  word.map((said) => text(said)),
  fc.constant(png),
  fc.record({ id: word, x: fc.integer() }).map(({ id, x }) => use(idForCaller(id), { x })),
  fc.record({ id: word, said: word }).map(({ id, said }) => result(idForCaller(id), [text(said), png])),
  word.map((said) => thought(said, mark())),
  word.map((said) => thought(said, 'EqQBCgIYAh')),
  word.map((type) => ({ type, more: 1 })),
);
const anyMessage = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system', 'ctx'),
  content: fc.oneof(word, fc.array(anyBlock, { maxLength: 4 })),
});

interface ChatMessage {
  role: string;
  content: string | { type: string; text?: string }[] | null;
  tool_calls?: object[];
}

test('results come in the order of their calls, in whatever order and however many turns they were sent', () => {
  const ids = fc.uniqueArray(word, { minLength: 2, maxLength: 6 });
  const given = ids.chain((calls) =>
    fc.record({
      calls: fc.constant(calls),
      sent: fc.shuffledSubarray(calls, { minLength: calls.length, maxLength: calls.length }),
      turns: fc.integer({ min: 1, max: calls.length }),
    }),
  );
  fc.assert(
    fc.property(given, ({ calls, sent, turns }) => {
      const results = sent.map((id) => result(idForCaller(id), id));
      const messages = messagesOf([
        assistant(...calls.map((id) => use(idForCaller(id)))),
        user(...results.slice(0, turns)),
        user(text('And?'), ...results.slice(turns)),
      ]) as { content: unknown }[];
      expect(messages.slice(1, -1).map(({ content }) => content)).toEqual(calls);
    }),
  );
});

test('any conversation keeps its results, calls and texts, and is one that chat servers take', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 6 }), (messages) => {
      let sent: ChatMessage[];
      try {
        sent = messagesOf(messages) as ChatMessage[];
      } catch {
        return;
      }
      const blocks = messages.flatMap(({ role, content }) =>
        (typeof content === 'string' ? [text(content)] : content).map((block) => ({
          role,
          block: block as Block,
        })),
      );
      const count = (type: string, ...roles: string[]) =>
        blocks.filter(({ role, block }) => block.type === type && roles.includes(role)).length;
      expect(sent.filter(({ role }) => role === 'tool')).toHaveLength(count('tool_result', 'user', 'ctx'));
      expect(sent.flatMap(({ tool_calls = [] }) => tool_calls)).toHaveLength(count('tool_use', 'assistant'));
      const all = JSON.stringify(sent);
      for (const { role, block } of blocks)
        if (block.type === 'text' && role !== 'assistant')
          expect(all).toContain(JSON.stringify(block.text).slice(1, -1));
      expect(all).not.toContain('EqQBCgIYAh');
      for (const [index, { role, content, tool_calls }] of sent.entries()) {
        expect(content !== null || tool_calls).toBeTruthy();
        if (role === 'system') expect(index).toBe(0);
        // What a user says stands behind the results of its turn.
        if (role === 'user') expect(sent[index + 1]?.role ?? 'assistant').toBe('assistant');
      }
    }),
  );
});
