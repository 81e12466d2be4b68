import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toMessageBody } from './to-message.ts';

const hello = { role: 'user', content: 'Say hello' };
const bodyOf = (completion: object) =>
  JSON.parse(
    JSON.stringify(toMessageBody({ model: 'claude', messages: [hello], ...completion }, { maxTokens: 77 })),
  );
const messagesOf = (...messages: object[]) => bodyOf({ messages }).messages;
const text = (words: string) => ({ type: 'text', text: words });

const inJson = text('Answer with one JSON object and nothing else: no words around it, no code fence.');

describe('a field of a chat completion', () => {
  const rows: [string, object, object][] = [
    ['no limit', {}, { max_tokens: 77 }],
    ['max_tokens', { max_tokens: 5 }, { max_tokens: 5 }],
    ['max_completion_tokens', { max_completion_tokens: 6 }, { max_tokens: 6 }],
    ['a stop', { stop: 'END' }, { stop_sequences: ['END'] }],
    ['stops', { stop: ['A', 'B'] }, { stop_sequences: ['A', 'B'] }],
    ['a temperature', { temperature: 0.4 }, { temperature: 0.4 }],
    ['a temperature over 1', { temperature: 1.7 }, { temperature: 1 }],
    ['top_p and top_k', { top_p: 0.5, top_k: 3 }, { top_p: 0.5, top_k: 3 }],
    ['a stream', { stream: true, stream_options: { include_usage: true } }, { stream: true }],
    ['a mark of the user', { user: 'u1' }, { metadata: { user_id: 'u1' } }],
    [
      'thinking',
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    ],
    ['no effort', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['the least effort', { reasoning_effort: 'minimal' }, { output_config: { effort: 'low' } }],
    [
      'an effort',
      { reasoning_effort: 'high' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    [
      'a schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } } },
      {
        output_config: {
          format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } },
        },
      },
    ],
    ['the form of JSON', { response_format: { type: 'json_object' } }, { system: [inJson] }],
    [
      'a schema that is none',
      { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
      { system: [inJson] },
    ],
    ['the form of text', { response_format: { type: 'text' } }, {}],
    [
      'a schema beside an output_config',
      {
        output_config: { effort: 'low' },
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', strict: true, schema: { anyOf: [] } },
        },
      },
      { output_config: { effort: 'low', format: { type: 'json_schema', schema: { anyOf: [] } } } },
    ],
    ['an output_config', { output_config: { effort: 'max' } }, { output_config: { effort: 'max' } }],
    [
      'what a message has no place for',
      {
        seed: 1,
        presence_penalty: 1,
        logit_bias: {},
        verbosity: 'low',
        prompt_cache_key: 'k',
        metadata: { a: 'b' },
        n: 1,
        logprobs: false,
      },
      {},
    ],
    [
      'null',
      {
        stop: null,
        temperature: null,
        top_p: null,
        user: null,
        tools: null,
        tool_choice: null,
        stream: null,
      },
      {},
    ],
  ];
  test.each(rows)('%s is said as a message has it', (_, completion, expected) => {
    const { model, messages, ...body } = bodyOf(completion);
    expect(body).toEqual({ max_tokens: 77, ...expected });
    expect({ model, messages }).toEqual({
      model: 'claude',
      messages: [{ role: 'user', content: [text('Say hello')] }],
    });
  });

  test.each([
    ['n', { n: 2 }],
    ['functions', { functions: [] }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 2 }],
    ['tools[0]', { tools: [{ type: 'custom', custom: { name: 'a' } }] }],
    [
      'tool_choice',
      { tools: [{ function: { name: 'a' } }], tool_choice: { type: 'custom', custom: { name: 'a' } } },
    ],
    ['messages[0].role', { messages: [{ role: 'function', content: 'x' }] }],
    [
      'messages[0].content[0]',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    ],
    [
      'messages[0].content[0].image_url',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///x' } }] }] },
    ],
    [
      'messages[0].content[0].file',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] },
    ],
    [
      'messages[0].tool_calls[0]',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: {} }] }] },
    ],
  ])('%s that a message cannot have is refused by its name', (field, completion) => {
    expect(() => bodyOf(completion)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: { issues: [expect.objectContaining({ field })] },
      }),
    );
  });
});

describe('a schema of a chat completion', () => {
  const schemaOf = (schema: object) =>
    bodyOf({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }).output_config
      .format.schema;
  const none = { additionalProperties: false };
  const open = { type: 'object' };

  test('has objects that say they have no other fields, as the protocol demands', () => {
    expect(
      schemaOf({
        type: 'object',
        properties: {
          type: open,
          list: { type: 'array', items: open },
          either: { anyOf: [open, { type: 'null' }] },
        },
        $defs: { node: { type: ['object', 'null'], properties: { next: { $ref: '#/$defs/node' } } } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        type: { ...open, ...none },
        list: { type: 'array', items: { ...open, ...none } },
        either: { anyOf: [{ ...open, ...none }, { type: 'null' }] },
      },
      $defs: { node: { type: ['object', 'null'], properties: { next: { $ref: '#/$defs/node' } }, ...none } },
      ...none,
    });
  });

  test.each([
    ['says what its other fields are', { ...open, additionalProperties: { type: 'string' } }],
    ['is put together of others', { ...open, allOf: [open], properties: {} }],
    ['is no object', { type: 'string', enum: ['a'], const: { type: 'object' } }],
  ])('that %s stays as it came', (_, schema) => {
    expect(schemaOf(schema)).toEqual(schema);
  });
});

describe('tools of a chat completion', () => {
  const look = {
    type: 'function',
    function: { name: 'look', description: 'Looks.', parameters: { type: 'object' }, strict: true },
  };
  const stop = { type: 'function', function: { name: 'stop' } };
  const tools = [look, stop];
  const said = [
    { name: 'look', description: 'Looks.', input_schema: { type: 'object' }, strict: true },
    { name: 'stop', input_schema: { type: 'object', properties: {} } },
  ];
  test.each([
    ['none', {}, undefined],
    ['auto', { tool_choice: 'auto' }, { type: 'auto' }],
    ['required', { tool_choice: 'required' }, { type: 'any' }],
    ['none of them', { tool_choice: 'none', parallel_tool_calls: false }, { type: 'none' }],
    [
      'one',
      { tool_choice: { type: 'function', function: { name: 'stop' } } },
      { type: 'tool', name: 'stop' },
    ],
    [
      'one after the other',
      { parallel_tool_calls: false },
      { type: 'auto', disable_parallel_tool_use: true },
    ],
    [
      'any, one after the other',
      { tool_choice: 'required', parallel_tool_calls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
  ])('are offered with the choice: %s', (_, completion, tool_choice) => {
    expect(bodyOf({ tools, ...completion })).toMatchObject({
      tools: said,
      ...(tool_choice && { tool_choice }),
    });
    expect(bodyOf({ tools, ...completion }).tool_choice).toEqual(tool_choice);
  });

  test('are left out if a choice does not allow them', () => {
    const tool_choice = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [stop] } };
    expect(bodyOf({ tools, tool_choice })).toMatchObject({ tools: [said[1]], tool_choice: { type: 'any' } });
  });

  test('that are none leave the choice out too', () => {
    expect(bodyOf({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })).not.toHaveProperty(
      'tool_choice',
    );
  });
});

describe('messages of a chat completion', () => {
  const call = (id: string, args: string) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: args },
  });
  const mark = { type: 'ephemeral' };

  test('that it begins with are the system prompt, and later ones stand in tags where they were', () => {
    const { system, messages } = bodyOf({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'developer', content: [{ ...text('Be brief.'), cache_control: mark }, text(' ')] },
        hello,
        { role: 'system', content: 'It is late.' },
      ],
    });
    expect(system).toEqual([text('Be kind.'), { ...text('Be brief.'), cache_control: mark }]);
    expect(messages).toEqual([
      { role: 'user', content: [text('Say hello'), text('<system>\nIt is late.\n</system>')] },
    ]);
  });

  test('that ask for JSON end their prompt with an instruction', () => {
    const messages = [{ role: 'system', content: 'Be kind.' }, hello];
    const { system } = bodyOf({ messages, response_format: { type: 'json_object' } });
    expect(system).toEqual([text('Be kind.'), inJson]);
  });

  test('that are prompts alone end with a turn of the user', () => {
    expect(bodyOf({ messages: [{ role: 'system', content: 'Be kind.' }] })).not.toHaveProperty('system');
    expect(messagesOf({ role: 'system', content: 'Be kind.' })).toEqual([
      { role: 'user', content: [text('<system>\nBe kind.\n</system>')] },
    ]);
  });

  test('keep pictures and files', () => {
    const content = [
      text('Look'),
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO', detail: 'low' } },
      { type: 'image_url', image_url: 'https://example.com/a.png' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' } },
      { type: 'file', file: { file_data: 'JVBERi0y' } },
      { type: 'file', file: { filename: 'a.txt', file_data: `data:text/plain;base64,${btoa('words')}` } },
    ];
    expect(messagesOf({ role: 'user', content })[0].content).toEqual([
      text('Look'),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' },
        title: 'a.pdf',
      },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0y' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' }, title: 'a.txt' },
    ]);
  });

  test('of the assistant begin with signed thinking, and end with calls', () => {
    const thinking_blocks = [
      { type: 'thinking', thinking: 'Hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'sealed' },
      { type: 'thinking', thinking: 'unsigned' },
    ];
    expect(
      messagesOf(
        hello,
        {
          role: 'assistant',
          content: 'Let me look. ',
          reasoning_content: 'Hm',
          thinking_blocks,
          tool_calls: [call('c1', '{"a":1}'), call('functions.look:0', ''), call('c3', '[1]')],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        {
          role: 'tool',
          tool_call_id: 'functions.look:0',
          content: [text('two'), { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }],
        },
        { role: 'tool', tool_call_id: 'c3', content: [{ ...text('three'), cache_control: mark }] },
        { role: 'user', content: 'Go on' },
      ).slice(1),
    ).toEqual([
      {
        role: 'assistant',
        content: [
          ...thinking_blocks.slice(0, 2),
          text('Let me look. '),
          { type: 'tool_use', id: 'c1', name: 'look', input: { a: 1 } },
          { type: 'tool_use', id: expect.stringMatching(/^toolu_[\w-]+$/), name: 'look', input: {} },
          { type: 'tool_use', id: 'c3', name: 'look', input: { INVALID_JSON: '[1]' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'one' },
          {
            type: 'tool_result',
            tool_use_id: `toolu_${Buffer.from('functions.look:0').toString('base64url')}`,
            content: [
              text('two'),
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
            ],
          },
          { type: 'tool_result', tool_use_id: 'c3', content: 'three', cache_control: mark },
          text('Go on'),
        ],
      },
    ]);
  });

  test('that are to be gone on with do not end in white space', () => {
    expect(messagesOf(hello, { role: 'assistant', content: 'So \n' }).at(-1)).toEqual({
      role: 'assistant',
      content: [text('So')],
    });
  });

  const words = fc.string();
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom('system', 'developer', 'user'), content: words }),
    fc.record({
      role: fc.constant('assistant'),
      content: fc.option(words),
      tool_calls: fc.array(fc.record({ id: words, function: fc.record({ name: words, arguments: words }) })),
    }),
    fc.record({ role: fc.constant('tool'), tool_call_id: words, content: words }),
  );

  test('of any kind become turns that alternate, with results first, ids that are allowed and no empty text', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1 }), (messages) => {
        const turns = messagesOf(...messages) as { role: string; content: Record<string, string>[] }[];
        for (const [i, { role, content }] of turns.entries()) {
          expect(role).not.toBe(turns[i - 1]?.role);
          expect(content.length).toBeGreaterThan(0);
          const results = content.filter(({ type }) => type === 'tool_result');
          expect(content.slice(0, results.length)).toEqual(results);
          for (const { type, text: said = '', id, tool_use_id } of content) {
            if (type === 'text') expect(said.trim()).not.toBe('');
            else expect(id ?? tool_use_id).toMatch(/^[\w-]{1,128}$/);
          }
        }
      }),
    );
  });
});
