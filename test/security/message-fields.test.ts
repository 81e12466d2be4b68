import { parseCatalogue } from '@errand/models';
import { defaultRules, toolTypes } from '@errand/models/testing';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChatService, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly } from '../chat/support/chunks.ts';
import { sendUndescribed } from '../support/document/hold-answers.ts';
import { forbiddenImages, pngDataUrl } from '../support/forbidden-images.ts';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';

sendUndescribed();

let native: ScriptedUpstream;
let translated: ScriptedUpstream;
let service: ChatService;

const saysHello: UpstreamScript = (wire) =>
  wire.json(200, {
    ...{ id: 'msg_up', type: 'message', role: 'assistant', model: 'upstream-claude' },
    ...{ content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn', stop_sequence: null },
    usage: { input_tokens: 3, output_tokens: 2 },
  });

beforeAll(async () => {
  native = await startUpstream();
  translated = await startUpstream();
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const claude = { baseUrl: native.baseUrl, model: 'upstream-claude', api: 'messages' };
  const writer = { baseUrl: translated.baseUrl, model: 'upstream-writer' };
  const model = (id: string, upstream: object, more: object = {}) => ({
    ...{ id, kind: 'vision', price, upstream, ...more },
  });
  const models = [
    model('claude', claude),
    model('both', writer, { fallbacks: [claude] }),
    model('open', { ...claude, fields: { mcp_servers: 'pass', speed: 'pass', metadata: 'refuse' } }),
    model('dropping', { ...claude, fields: { output_config: 'drop' } }),
    model('unmarked', { ...claude, fields: { cache_control: 'drop' } }),
    model('hushed', { ...claude, fields: { response_format: 'drop', reasoning_effort: 'drop' } }),
    model('short', claude, { contextTokens: 200_000 }),
    model('long', claude, { contextTokens: 1_000_000 }),
    model('writer', writer),
    model('closed', claude, { imageUrls: 'refuse' }),
    model('closed-writer', writer, { imageUrls: 'refuse' }),
  ];
  service = await startChatService(
    parseCatalogue({ models }, () => undefined),
    { rateLimitRequests: 1_000_000 },
  );
});
afterAll(() => Promise.all([service, native, translated].map((part) => part.close())));
beforeEach(() => {
  native.script(saysHello);
  translated.script(answersPlainly);
});

const messages = [{ role: 'user', content: 'Say hello' }];
const post = (model: string, fields: object) =>
  service.post({ model, max_tokens: 9, messages, ...fields }, { path: '/v1/messages' });
const refusalOf = async (response: Response) => {
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: { message: string } }).error.message;
};
const asked = () => [...native.requests, ...translated.requests];

const namesOf = (rule: string) =>
  Object.keys(defaultRules).filter((name) => name !== toolTypes && defaultRules[name] === rule);

describe('fields that are billed, or change who answers', () => {
  test.each(['claude', 'both'])('are refused by name where an upstream would get them: %s', async (model) => {
    for (const name of [...namesOf('refuse'), 'extra_body', 'MCP_Servers', 'Fallbacks'])
      expect(await refusalOf(await post(model, { [name]: ['x'] }))).toBe(
        `${name}: is not accepted by this model`,
      );
    expect(asked()).toEqual([]);
  });

  test('are refused only where they ask for something', async () => {
    expect((await post('claude', { mcp_servers: null, fallbacks: false })).status).toBe(200);
  });

  test('are left out without a word where they change no answer, or where no upstream would get them', async () => {
    for (const name of namesOf('drop')) await post('claude', { [name]: 'fast' });
    for (const { body } of native.requests)
      expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model']);
    expect(native.requests).toHaveLength(namesOf('drop').length);
    for (const name of [...namesOf('refuse'), ...namesOf('drop')])
      expect((await post('writer', { [name]: ['x'] })).status).toBe(200);
    for (const { body } of translated.requests)
      expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model']);
  });

  test("follow the catalogue's rules", async () => {
    const fields = { mcp_servers: [{ url: 'https://a.test' }], speed: 'fast', service_tier: 'auto' };
    expect((await post('open', fields)).status).toBe(200);
    const { service_tier: _, ...passed } = fields;
    expect(native.requests[0]?.body).toEqual({
      ...{ model: 'upstream-claude', max_tokens: 9, messages, ...passed },
    });
    expect(await refusalOf(await post('open', { metadata: { user_id: 'u' } }))).toMatch(/^metadata: /);
  });

  test.each([
    'Max_Tokens',
    'MESSAGES',
    'ſtream',
    'Skills',
    'Cache_Control',
    'Speed',
    'Tools',
    'Context_Management',
  ])('%s is refused where an upstream could read it as another field', async (name) => {
    expect(await refusalOf(await post('claude', { [name]: 1 }))).toMatch(/: must be written [a-z_]+$/);
    expect(asked()).toEqual([]);
  });

  test('a request with more fields than the limit is refused where an upstream would get them', async () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, i]));
    const room = limits.completionParameters - 3;
    expect((await post('claude', fields(room))).status).toBe(200);
    expect(await refusalOf(await post('claude', fields(room + 1)))).toMatch(/at most 256 parameters/);
  });

  test('a field in `__proto__` is none of the request', async () => {
    const body = `{"model":"dropping","max_tokens":9,"messages":${JSON.stringify(messages)},"__proto__":{"output_config":{"x":"y"},"speed":"fast"}}`;
    expect((await service.post(body, { path: '/v1/messages' })).status).toBe(200);
    expect(native.requests[0]?.body.output_config).toBeUndefined();
    expect(Object.hasOwn(native.requests[0]?.body ?? {}, 'speed')).toBe(false);
  });

  test('marks of what is to be cached are left out of chat completions, too, where the catalogue says so', async () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    const content = [{ type: 'text', text: 'Hi', cache_control }];
    const called = { name: 'f', parameters: { properties: { cache_control: { type: 'string' } } } };
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"cache_control":1}' } };
    const completion = {
      messages: [
        { role: 'system', content },
        { role: 'user', content },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content },
      ],
      tools: [{ type: 'function', function: called, cache_control }],
      cache_control,
    };
    const marksFor = async (model: string) => {
      native.script(saysHello);
      expect((await service.post({ model, ...completion })).status).toBe(200);
      return native.requests[0]?.text.match(/"ephemeral"/g) ?? [];
    };
    expect(await marksFor('claude')).toHaveLength(4);
    expect(await marksFor('unmarked')).toEqual([]);
    expect(native.requests[0]?.body).toMatchObject({
      tools: [{ input_schema: called.parameters }],
      messages: [{}, { content: [{ input: { cache_control: 1 } }] }, {}],
    });
  });

  test('marks of what is to be cached are left out at any depth, but for what is the caller’s own', async () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    const marked = { type: 'text', text: 'x', cache_control };
    const own = { properties: { cache_control } };
    const definition = { name: 'f', input_schema: own, cache_control };
    const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition }, cache_control };
    const body = (messages: object[], more: object = {}) => ({
      model: 'unmarked',
      max_tokens: 9,
      messages,
      ...more,
    });
    const content = [
      { type: 'document', source: { type: 'content', content: [marked] } },
      { type: 'compaction', content: 's', tool_changes: [added] },
      { type: 'later', parts: { deep: [[{ Cache_Control: cache_control, kept: null }]] } },
    ];
    const calls = [{ type: 'tool_use', id: 'a', name: 'f', input: { cache_control }, cache_control }];
    const conversation = [
      { role: 'user', content },
      { role: 'assistant', content: calls, cache_control },
      { role: 'system', content: [added] },
    ];
    const later = [{ cache_control, at: 1 }];
    expect((await post('unmarked', { messages: conversation, tools: [definition], later })).status).toBe(200);
    const bare = { name: 'f', input_schema: own };
    const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition: bare } };
    const sent = [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } },
          { type: 'compaction', content: 's', tool_changes: [addition] },
          { type: 'later', parts: { deep: [[{ kept: null }]] } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { cache_control } }] },
      { role: 'system', content: [addition] },
    ];
    expect(native.requests[0]?.body).toEqual({
      ...body(sent, { tools: [bare], later: [{ at: 1 }] }),
      model: 'upstream-claude',
    });
  });

  test('a number that no double holds is sent as it came where marks are left out', async () => {
    const id = '12345678901234567890123';
    const instruction = `{"role":"system","content":"a","output_config":${id}}`;
    const body = `{"model":"unmarked","max_tokens":9,"messages":[${JSON.stringify(messages[0])},${instruction}],"later":[${id},{"a":${id}}]}`;
    expect((await service.post(body, { path: '/v1/messages' })).status).toBe(200);
    expect(native.requests[0]?.text).toContain(`"later":[${id},{"a":${id}}]`);
    expect(native.requests[0]?.text).toContain(instruction);
  });

  test('an edit whose type is no text is for the provider to judge', async () => {
    for (const type of [{ toString: 1 }, ['compact_20260112'], {}, 1, null]) {
      native.script(saysHello);
      const context_management = { edits: [{ type }] };
      expect((await post('claude', { context_management })).status).toBe(200);
      expect(native.requests[0]?.body).toMatchObject({ context_management });
    }
  });

  test('a rule of a field holds under each name and at each place that the field has', async () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const output_config = { Effort: 'max', effort: 'max', FORMAT: format, format, later: 1 };
    const instruction = { role: 'system', content: 'Go on', output_config, Output_Config: output_config };
    const body = { output_format: format, output_config, messages: [...messages, instruction] };
    expect((await post('hushed', body)).status).toBe(200);
    const kept = { output_config: { later: 1 } };
    expect(native.requests[0]?.body).toEqual({
      ...{ model: 'upstream-claude', max_tokens: 9, ...kept },
      messages: [...messages, { role: 'system', content: 'Go on', ...kept, Output_Config: { later: 1 } }],
    });
    native.script(saysHello);
    expect((await post('dropping', body)).status).toBe(200);
    expect(native.requests[0]?.text).not.toMatch(/output_config/i);
    native.script(saysHello);
    expect((await post('claude', body)).status).toBe(200);
    expect(native.requests[0]?.body).toMatchObject(body);
  });

  test.each([{}, { content: [] }])(
    'a message from which on another effort holds may have no content: %j',
    async (no) => {
      const instruction = { role: 'system', ...no, output_config: { effort: 'low' } };
      const sentTo = async (model: string) => {
        for (const each of [native, translated]) each.requests.length = 0;
        expect((await post(model, { messages: [...messages, instruction] })).status).toBe(200);
        return asked()[0]?.body.messages;
      };
      expect(await sentTo('claude')).toEqual([...messages, instruction]);
      for (const model of ['hushed', 'dropping', 'writer'])
        expect([model, await sentTo(model)]).toEqual([model, messages]);
    },
  );

  test('betas in the field of servers like Bedrock are held to what the header is held to', async () => {
    const [long, both] = ['context-1m-2025-08-07', 'one-2026, context-1m-2025-08-07'];
    const sentFor = async (model: string, anthropic_beta: unknown) => {
      native.script(saysHello);
      expect((await post(model, { anthropic_beta })).status).toBe(200);
      return native.requests[0]?.body.anthropic_beta;
    };
    expect(await sentFor('short', [long, 'one-2026', 1, ` ${both}`])).toEqual(['one-2026', 'one-2026']);
    expect(await sentFor('short', both)).toBe('one-2026');
    expect(await sentFor('short', long)).toBeUndefined();
    expect(await sentFor('short', long.toUpperCase())).toBeUndefined();
    expect(await sentFor('short', { 0: long })).toEqual([]);
    expect(await sentFor('long', [long, 'one-2026'])).toEqual([long, 'one-2026']);
    expect(await refusalOf(await post('short', { Anthropic_Beta: [long] }))).toBe(
      'Anthropic_Beta: must be written anthropic_beta',
    );
  });

  test('a longer context is not asked for where the catalogue says that the model reads less', async () => {
    const betasFor = async (model: string, betas: string) => {
      native.script(saysHello);
      const headers = {
        'x-api-key': service.key,
        'Content-Type': 'application/json',
        'anthropic-beta': betas,
      };
      const body = JSON.stringify({ model, max_tokens: 9, messages });
      const answer = await fetch(`${service.baseUrl}/v1/messages`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      return native.requests[0]?.headers['anthropic-beta'];
    };
    const [one, both] = ['context-1m-2025-08-07', 'one-2026, context-1m-2025-08-07,two-2026'];
    expect(await betasFor('short', both)).toBe('one-2026,two-2026');
    expect(await betasFor('short', one)).toBeUndefined();
    expect(await betasFor('long', both)).toBe(both);
    expect(await betasFor('claude', both)).toBe(both);
  });

  test('a file that the provider keeps is refused wherever an id names it', async () => {
    const file = { type: 'file', file_id: 'file_011' };
    const blocks: Record<string, object> = {
      '.source.file_id': { type: 'later', source: file },
      '.file_id': { type: 'container_upload', file_id: 'file_011' },
      '.content[0].source.file_id': {
        type: 'mcp_tool_result',
        content: [{ type: 'document', source: file }],
      },
    };
    for (const [place, block] of Object.entries(blocks))
      for (const role of ['user', 'assistant', 'system'])
        expect(
          await refusalOf(await post('claude', { messages: [...messages, { role, content: [block] }] })),
        ).toBe(`messages[1].content[0]${place}: is not known: no files are kept here, send the bytes`);
    const found = { type: 'code_execution_output', file_id: 'file_011' };
    const called = { type: 'tool_use', id: 'a', name: 'f', input: { type: 'file', file_id: 'mine' } };
    expect(
      (
        await post('claude', {
          messages: [
            ...messages,
            { role: 'assistant', content: [called, { type: 'later', content: [found] }] },
          ],
        })
      ).status,
    ).toBe(200);
  });

  test('a field that a request has twice is sent once, with the value that was checked', async () => {
    const body = `{"model":"claude","max_tokens":1000000,"mcp_servers":["x"],"messages":${JSON.stringify(messages)},"max\\u005ftokens":9,"mcp\\u005fservers":null}`;
    expect((await service.post(body, { path: '/v1/messages' })).status).toBe(200);
    expect(native.requests[0]?.text).not.toMatch(/1000000|\["x"\]/);
    expect(native.requests[0]?.body).toMatchObject({ max_tokens: 9 });
  });
});

describe('tools that the provider runs', () => {
  const types = [
    ...['web_search_20260318', 'web_fetch_20260309', 'code_execution_20260521', 'mcp_toolset'],
    ...['tool_search_tool_bm25_20251119', 'advisor_20260301', 'toString', 'Custom'],
  ];

  test.each(['claude', 'both', 'writer', 'open'])('are refused by name: %s', async (model) => {
    for (const type of types) {
      const own = { name: 'f', input_schema: {} };
      const said = `tools[1].type: ${type} is a tool of the provider's own, which is not served here`;
      expect(await refusalOf(await post(model, { tools: [own, { type, name: 'a' }] }))).toBe(said);
      const definition = { type, name: 'a' };
      const added = [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }];
      const changed = [...messages, { role: 'system', content: added }];
      expect(await refusalOf(await post(model, { tools: [own], messages: changed }))).toBe(said);
      const hidden = { ...own, Type: type };
      expect(await refusalOf(await post(model, { tools: [hidden] }))).toBe(
        'tools[0].Type: must be written type',
      );
    }
    for (const tool of [{ type: { toString: 1 } }, { type: ['web_search'] }, { type: 1 }])
      expect(await refusalOf(await post(model, { tools: [tool] }))).toMatch(
        /^tools\[0\]\.type: must be a string/,
      );
    expect(asked()).toEqual([]);
  });

  test('are told from those that the caller runs, which models of the protocol know', async () => {
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'custom', name: 'f', input_schema: {} },
    ];
    expect((await post('claude', { tools })).status).toBe(200);
    expect(native.requests[0]?.body.tools).toEqual(tools);
    for (const model of ['both', 'writer'])
      expect(await refusalOf(await post(model, { tools }))).toMatch(
        /^tools\[0\]\.type: bash_20250124 is not known/,
      );
  });
});

describe('a model that takes no addresses', () => {
  const image = (url: string) => ({ type: 'image', source: { type: 'url', url } });
  const carriers: Record<string, (url: string) => [object, string]> = {
    'an image': (url) => [image(url), '.source'],
    'an image without its type': (url) => [{ type: 'image', source: { type: 'base64', url } }, '.source'],
    'an image in other letters': (url) => [{ type: 'image', Source: { TYPE: 'url', URL: url } }, '.Source'],
    'a document': (url) => [{ type: 'document', source: { type: 'url', url } }, '.source'],
    'a result of a tool': (url) => [
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }, image(url)] },
      '.content[1].source',
    ],
    'a document of blocks': (url) => [
      { type: 'document', source: { type: 'content', content: [image(url)] } },
      '.source.content[0].source',
    ],
    'a block that nobody knows': (url) => [
      { type: 'x', more: [{ deep: { source: { type: 'url', url } } }] },
      '.more[0].deep.source',
    ],
    'the part of another protocol': (url) => [{ type: 'image_url', image_url: { url } }, '.image_url'],
    'a part without a source': (url) => [{ type: 'input_image', url }, '.url'],
    'a source that is a text': (url) => [{ type: 'later_video', source: url }, '.source'],
    'a block by its name': (url) => [{ type: 'x', more: { Video: url } }, '.more.Video'],
    'what no tool was given': (url) => [{ type: 'x', input: [image(url)] }, '.input[0].source'],
  };

  test.each(Object.entries(carriers))('refuses each by its place: %s', async (_, carry) => {
    for (const url of forbiddenImages(1).filter((each) => each !== pngDataUrl)) {
      const [block, place] = carry(url);
      const content = [{ type: 'text', text: 'See' }, block];
      for (const model of ['closed', 'closed-writer'])
        expect([url, await refusalOf(await post(model, { messages: [{ role: 'user', content }] }))]).toEqual([
          url,
          `messages[0].content[1]${place}: must be the bytes: this model takes no addresses`,
        ]);
    }
    expect(asked()).toEqual([]);
  });

  test.each(['image_url', 'Image_URL', 'file_url', 'images', 'documents', 'multi_modal_data'])(
    'refuses them beside the messages: %s',
    async (name) => {
      for (const model of ['closed', 'closed-writer'])
        for (const value of ['http://10.0.0.5/x', { url: 'http://10.0.0.5/x' }])
          expect(await refusalOf(await post(model, { [name]: value }))).toBe(
            `${name}: must be the bytes: this model takes no addresses`,
          );
      const later = { parts: [{ deep: image('http://10.0.0.5/x') }] };
      expect(await refusalOf(await post('closed', { later }))).toMatch(/^later\.parts\[0\]\.deep\.source: /);
    },
  );

  test('refuses them in the prompt, too, and takes what is no address that anybody opens', async () => {
    const system = [{ type: 'text', text: 'x', more: image('http://10.0.0.5/x') }];
    expect(await refusalOf(await post('closed', { system }))).toMatch(/^system\[0\]\.more\.source: /);
    const harmless = [
      { role: 'user', content: [{ type: 'text', text: 'See http://10.0.0.5/x.png' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'f', input: { source: { type: 'url', url: 'http://a' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'x' },
          {
            type: 'search_result',
            source: 'https://a.test',
            title: 'A',
            content: [{ type: 'text', text: 'a' }],
          },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
    ];
    const properties = { source: { type: 'url' }, images: { type: 'array' } };
    const tools = [{ name: 'f', input_schema: { properties }, input_examples: [{ images: ['http://a'] }] }];
    const output_config = { format: { type: 'json_schema', schema: { type: 'object', properties } } };
    for (const model of ['closed', 'closed-writer'])
      expect((await post(model, { messages: harmless, tools, output_config })).status).toBe(200);
    expect(native.requests[0]?.body).toMatchObject({ messages: harmless, tools, output_config });
  });
});
