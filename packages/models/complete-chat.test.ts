import { inspect } from 'node:util';
import type { Taking } from '@errand/money';
import { createLog, limits, silentLog } from '@errand/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ScriptedUpstream,
  startUpstream,
  type UpstreamScript,
  type Wire,
} from '../../test/support/scripted-upstream.ts';
import type { Model } from './catalogue.ts';
import { completeChat } from './complete-chat.ts';
import { namingLimit } from './learned.ts';
import { parseCatalogue } from './parse-catalogue.ts';
import { UpstreamError } from './upstream-error.ts';

let upstream: ScriptedUpstream;
let second: ScriptedUpstream;
let model: Model;
let now = 0;
const waits: number[] = [];
const deps = {
  clock: Object.assign(() => now, { wait: async (milliseconds: number) => void waits.push(milliseconds) }),
  log: silentLog,
};

const modelAt = (...baseUrls: string[]): Model => {
  const [first = '', ...others] = baseUrls.map((baseUrl) => ({ baseUrl, model: 'big-1', apiKeyEnv: 'KEY' }));
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const entry = { id: 'writer', kind: 'chat', upstream: first, fallbacks: others, price };
  return parseCatalogue({ models: [entry] }, () => 'sk-secret').models[0] as Model;
};

beforeAll(async () => {
  [upstream, second] = await Promise.all([startUpstream(), startUpstream()]);
  model = modelAt(upstream.baseUrl);
});
beforeEach(() => {
  waits.length = 0;
});
afterEach(() => void vi.useRealTimers());
afterAll(() => Promise.all([upstream.close(), second.close()]));

const body = { messages: [{ role: 'user', content: 'hello world' }] };
const completion = (message: object, usage?: object, finish_reason: string | null = 'stop') => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage,
});
const usage = { prompt_tokens: 10, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } };
const ok: UpstreamScript = (wire) => wire.json(200, completion({ content: 'hi' }, usage));
const busy =
  (headers: Record<string, string> = {}): UpstreamScript =>
  (wire) =>
    wire.json(503, { error: { message: 'sk-secret' } }, headers);

test('a completion is its message, its usage and the upstream’s own time', async () => {
  upstream.script((wire) => {
    now += 1_234;
    return wire.json(200, completion({ content: 'hi' }, usage));
  });
  expect(await completeChat(deps, model, body)).toEqual({
    message: { role: 'assistant', content: 'hi' },
    finishReason: 'stop',
    usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 2, reasoningTokens: 1 },
    inferenceMilliseconds: 1_234,
  });
});

test.each([
  { max_tokens: 5 },
  { max_completion_tokens: 5 },
  { tools: [], tool_choice: 'none', unknown: { a: 1 } },
])('%j passes as given', async (parameters) => {
  upstream.script(ok);
  await completeChat(deps, model, { ...body, ...parameters });
  expect(upstream.requests[0]?.body).toEqual({ ...body, ...parameters, model: 'big-1', stream: false });
  expect(upstream.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer sk-secret',
    'content-type': 'application/json',
  });
});

test('an upstream that refuses max_tokens is asked again by the newer name', async () => {
  upstream.script((wire, request) =>
    (request.body as { max_tokens?: number }).max_tokens === undefined
      ? wire.json(200, completion({ content: 'hi' }, usage))
      : wire.json(400, { error: { param: 'max_tokens', code: 'unsupported_parameter' } }),
  );
  expect((await completeChat(deps, model, { ...body, max_tokens: 5 })).message.content).toBe('hi');
  expect(upstream.requests.map((request) => request.body)).toEqual([
    { ...body, max_tokens: 5, model: 'big-1', stream: false },
    { ...body, max_completion_tokens: 5, model: 'big-1', stream: false },
  ]);
});

test('what an upstream refuses is remembered: five completions are six requests', async () => {
  const reasoner = modelAt(upstream.baseUrl);
  upstream.script((wire, request) =>
    request.body.max_tokens === undefined
      ? wire.json(200, completion({ content: 'hi' }, usage))
      : wire.json(400, { error: { param: 'max_tokens', code: 'unsupported_parameter' } }),
  );
  for (let i = 0; i < 5; i++) await completeChat(deps, reasoner, { ...body, max_tokens: 5 });
  expect(upstream.requests).toHaveLength(6);
});

test('a model with hidden reasoning is told its limit by the newer name, and by the older one if its server wants that', async () => {
  const hidden = { ...modelAt(upstream.baseUrl), hiddenReasoning: true };
  upstream.script(ok);
  await completeChat(deps, hidden, { ...body, max_tokens: 5 });
  expect(upstream.requests[0]?.body).toMatchObject({ max_completion_tokens: 5 });
  upstream.script((wire, request) =>
    request.body.max_tokens === undefined
      ? wire.json(422, {
          detail: [{ loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs are not permitted' }],
        })
      : wire.json(200, completion({ content: 'hi' }, usage)),
  );
  for (let i = 0; i < 2; i++) await completeChat(deps, hidden, { ...body, max_tokens: 5 });
  expect(
    upstream.requests.map((request) => Object.keys(request.body).filter((name) => /^max/.test(name))),
  ).toEqual([['max_completion_tokens'], ['max_tokens'], ['max_tokens']]);
});

test('a limit that is too large for the model is halved, and remembered', async () => {
  const narrow = modelAt(upstream.baseUrl);
  const message = "'max_tokens' is too large: 36864. This model's maximum context length is 32768 tokens.";
  upstream.script((wire, request) =>
    Number(request.body.max_tokens) > 20_000
      ? wire.json(400, { error: { message, param: 'max_tokens' } })
      : wire.json(200, completion({ content: 'hi' }, usage)),
  );
  for (let i = 0; i < 2; i++) await completeChat(deps, narrow, { ...body, max_tokens: 36_864 });
  expect(upstream.requests.map((request) => request.body.max_tokens)).toEqual([36_864, 18_432, 18_432]);
});

const format = (name: string) => ({ type: 'json_schema', json_schema: { name, schema: {} } });
const formatsOf = () => upstream.requests.map(({ body }) => body.response_format);

test('an upstream that refuses a response_format is asked without it, for this one alone from then on', async () => {
  const plain = modelAt(upstream.baseUrl);
  upstream.script((wire, request) =>
    (request.body.response_format as { json_schema?: { name?: string } } | undefined)?.json_schema?.name ===
    'deep'
      ? wire.json(400, { error: { message: 'Schema is too complex for compilation' } })
      : wire.json(200, completion({ content: 'hi' }, usage)),
  );
  const [deep, flat] = [format('deep'), format('flat')];
  for (const response_format of [deep, deep, flat])
    await completeChat(deps, plain, { ...body, response_format }, { mayLeaveOutFormat: true });
  expect(formatsOf()).toEqual([deep, undefined, undefined, flat]);
});

test('a response_format stays where it may not be left out, and where the refusal had another reason', async () => {
  const plain = modelAt(upstream.baseUrl);
  upstream.script((wire) => wire.json(400, { error: { message: 'This account is closed' } }));
  const response_format = format('one');
  const asking = { ...body, response_format };
  await expect(completeChat(deps, plain, asking)).rejects.toThrow('refused');
  expect(formatsOf()).toEqual([response_format]);
  await expect(completeChat(deps, plain, asking, { mayLeaveOutFormat: true })).rejects.toThrow('refused');
  upstream.script(ok);
  await completeChat(deps, plain, asking, { mayLeaveOutFormat: true });
  expect(formatsOf()).toEqual([response_format]);
});

test("a response_format that an upstream's fields leave out is left out where it may be", async () => {
  const upstreamOf = modelAt(upstream.baseUrl);
  const dropping = {
    ...upstreamOf,
    upstream: { ...upstreamOf.upstream, fields: { response_format: 'drop' as const } },
  };
  upstream.script(ok);
  await completeChat(
    deps,
    dropping,
    { ...body, response_format: format('one') },
    { mayLeaveOutFormat: true },
  );
  expect(formatsOf()).toEqual([undefined]);
});

test('an upstream that wants another request is logged once, with what it wants', async () => {
  const reasoner = modelAt(upstream.baseUrl);
  const lines: unknown[] = [];
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  upstream.script((wire, request) =>
    Number(request.body.max_completion_tokens) < 5_000
      ? wire.json(200, completion({ content: 'hi' }, usage))
      : wire.json(400, { error: { message: 'Unsupported: max_tokens; at most 5000.' } }),
  );
  for (let i = 0; i < 2; i++)
    await completeChat({ ...deps, log }, reasoner, { ...body, max_tokens: limits.outputTokensPerCompletion });
  expect(lines).toMatchObject([
    {
      level: 'info',
      message: 'upstream wants another request',
      upstreamModel: 'big-1',
      address: new URL(upstream.baseUrl).host + new URL(upstream.baseUrl).pathname,
      limitName: 'max_completion_tokens',
    },
  ]);
});

describe('what one request is refused', () => {
  const named = (request: { body: Record<string, unknown> }) => [
    request.body.max_tokens,
    request.body.max_completion_tokens,
  ];

  test('for its limit’s value says nothing of the limit’s name', async () => {
    const picky = modelAt(upstream.baseUrl);
    upstream.script((wire, request) =>
      Number(request.body.max_tokens) < 16
        ? wire.json(400, { error: { message: 'Expected a value >= 16.', param: 'max_tokens' } })
        : wire.json(200, completion({ content: 'hi' }, usage)),
    );
    const failure = completeChat(deps, picky, { ...body, max_tokens: 5 });
    await expect(failure).rejects.toMatchObject({ kind: 'refused' });
    await completeChat(deps, picky, { ...body, max_tokens: 50 });
    expect(upstream.requests.map(named)).toEqual([
      [5, undefined],
      [50, undefined],
    ]);
  });

  test('for a limit that its caller chose is not remembered', async () => {
    const { upstream: asked } = modelAt(upstream.baseUrl);
    const names: string[] = [];
    const ask = async (name: string) => {
      names.push(name);
      if (name === 'max_completion_tokens') return;
      throw new UpstreamError('refused', { raw: { param: name, text: 'max_tokens of 1 is not supported' } });
    };
    for (let i = 0; i < 2; i++) await namingLimit(deps, asked, ask);
    expect(names).toEqual(['max_tokens', 'max_completion_tokens', 'max_tokens', 'max_completion_tokens']);
  });

  test('for a long conversation leaves the limit of shorter ones as it is', async () => {
    const narrow = modelAt(upstream.baseUrl);
    const contextTokens = 50_000;
    upstream.script((wire, { body: { messages, max_tokens } }) =>
      JSON.stringify(messages).length / 4 + Number(max_tokens) > contextTokens
        ? wire.json(400, { error: { message: `The maximum context length is ${contextTokens} tokens.` } })
        : wire.json(200, completion({ content: 'hi' }, usage)),
    );
    const long = { messages: [{ role: 'user', content: 'a'.repeat(100_000) }] };
    for (const messages of [long, long, body])
      await completeChat(deps, narrow, { ...messages, max_tokens: 36_864 });
    expect(upstream.requests.map((request) => request.body.max_tokens)).toEqual([
      36_864, 18_432, 18_432, 36_864,
    ]);
  });

  test('is asked for less down to the limit of a model that does not think', async () => {
    const least = limits.outputTokensPerCompletion;
    upstream.script((wire, request) =>
      Number(request.body.max_tokens) > least
        ? wire.json(400, { error: { message: 'max_tokens is too large.' } })
        : wire.json(200, completion({ content: 'hi' }, usage)),
    );
    const small = modelAt(upstream.baseUrl);
    for (let i = 0; i < 2; i++) await completeChat(deps, small, { ...body, max_tokens: 36_864 });
    expect(upstream.requests.map((request) => request.body.max_tokens)).toEqual([
      36_864,
      18_432,
      9_216,
      4_608,
      least,
      least,
    ]);
  });
});

test.each([
  ['a field that goes back', { content: 'a', reasoning_details: 'DEEP' }],
  ['the arguments of a call', { tool_calls: [{ function: { name: 'x', arguments: 'DEEP' } }] }],
])('%s that could not be written again makes a completion unreadable', async (_, message) => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);
  upstream.script((wire) =>
    wire.json(200, JSON.stringify(completion(message, usage)).replace('"DEEP"', deep)),
  );
  const failure = completeChat(deps, model, body, { attempts: 1 });
  await expect(failure).rejects.toMatchObject({ kind: 'unreadable' });
});

test('a note after the results of tools stands in the last of them where a server takes no user there', async () => {
  const strict = modelAt(upstream.baseUrl);
  const results = [
    { role: 'assistant', content: null, tool_calls: [] },
    { role: 'tool', tool_call_id: 'a', content: 'noon' },
    { role: 'user', content: 'Answer now.' },
  ];
  upstream.script((wire, request) =>
    (request.body.messages as object[]).length > 2
      ? wire.json(400, { object: 'error', message: "Unexpected role 'user' after role 'tool'", code: '3230' })
      : wire.json(200, completion({ content: 'hi' }, usage)),
  );
  for (let i = 0; i < 2; i++) await completeChat(deps, strict, { messages: results });
  expect(upstream.requests).toHaveLength(3);
  expect(upstream.requests[2]?.body.messages).toEqual([
    results[0],
    { role: 'tool', tool_call_id: 'a', content: 'noon\n\nAnswer now.' },
  ]);
});

test('notes that were said earlier in the conversation stand in their results there, too', async () => {
  const strict = modelAt(upstream.baseUrl);
  const messages = [
    { role: 'tool', tool_call_id: 'a', content: 'noon' },
    { role: 'user', content: 'Write the answer.' },
    { role: 'assistant', content: 'At noon.' },
    { role: 'user', content: 'Is it complete?' },
  ];
  upstream.script((wire, request) => {
    const roles = (request.body.messages as { role: string }[]).map(({ role }) => role);
    return roles.some((role, i) => role === 'user' && roles[i - 1] === 'tool')
      ? wire.json(400, { object: 'error', message: "Unexpected role 'user' after role 'tool'", code: '3230' })
      : wire.json(200, completion({ content: 'hi' }, usage));
  });
  await completeChat(deps, strict, { messages });
  expect(upstream.requests[1]?.body.messages).toEqual([
    { role: 'tool', tool_call_id: 'a', content: 'noon\n\nWrite the answer.' },
    ...messages.slice(2),
  ]);
});

describe('what a server sends with a message and wants back', () => {
  const opaque = { reasoning_content: 'Hm.', thinking_blocks: [{ signature: 's' }], extra_content: { g: 1 } };
  const call = {
    id: 'a',
    type: 'function',
    function: { name: 'x', arguments: '{}', provider_specific_fields: { thought_signature: 'f' } },
    extra_content: { google: { thought_signature: 'c' } },
  };
  const answer = { content: null, tool_calls: [call], ...opaque, annotations: ['a'] };
  const made = async (model: Model, message: object) => {
    upstream.script((wire) => wire.json(200, completion(message, usage, 'tool_calls')));
    return (await completeChat(deps, model, body)).message;
  };
  const sentBack = async (model: Model, to: ScriptedUpstream, ...messages: object[]) => {
    to.script(ok);
    await completeChat(deps, model, { messages: messages as never });
    return to.requests.at(-1)?.body.messages;
  };

  test('goes back as it came, with the call that it came with, and other fields do not', async () => {
    const message = await made(model, answer);
    expect(await sentBack(model, upstream, message)).toEqual([
      { role: 'assistant', content: null, tool_calls: [call], ...opaque },
    ]);
  });

  test('is left out for every other upstream', async () => {
    const both = modelAt(upstream.baseUrl, second.baseUrl);
    const message = await made(both, answer);
    upstream.script(busy());
    const { provider_specific_fields: _, ...plain } = call.function;
    second.script(ok);
    await completeChat(deps, both, { messages: [message] });
    expect(second.requests[0]?.body.messages).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: plain }] },
    ]);
  });

  test('goes to the first call that is left if its own call is gone', async () => {
    const other = { id: 'b', type: 'function', function: { name: 'y', arguments: '{}' } };
    const message = await made(model, { content: null, tool_calls: [call, other] });
    const [sent] = (await sentBack(model, upstream, { ...message, tool_calls: [other] })) as object[];
    expect(sent).toMatchObject({ tool_calls: [{ id: 'b', extra_content: call.extra_content }] });
  });

  test('is content with other parts than text, unless the text was changed since', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'It is.' },
    ];
    const message = await made(model, { content });
    expect(message.content).toBe('It is.');
    expect(await sentBack(model, upstream, message)).toEqual([{ role: 'assistant', content }]);
    expect(await sentBack(model, upstream, { ...message, content: 'It was.' })).toEqual([
      { role: 'assistant', content: 'It was.' },
    ]);
  });

  test('is a text that is empty, but nothing that is null', async () => {
    const message = await made(model, { content: 'a', reasoning_content: '', thinking_blocks: null });
    expect(await sentBack(model, upstream, message)).toEqual([
      { role: 'assistant', content: 'a', reasoning_content: '' },
    ]);
  });

  test('makes a completion unreadable past its bound', async () => {
    upstream.script((wire) =>
      wire.json(200, completion({ content: 'a', reasoning_content: 'x'.repeat(limits.opaqueBytes) }, usage)),
    );
    const failure = completeChat(deps, model, body, { attempts: 1 });
    await expect(failure).rejects.toMatchObject({ kind: 'unreadable' });
  });

  test('is not sent again to a server that refuses it as unknown, and is to one that says it is missing, now or later', async () => {
    const strict = modelAt(upstream.baseUrl);
    const message = await made(strict, answer);
    const refuse =
      (text: string): UpstreamScript =>
      (wire, request) =>
        JSON.stringify(request.body).includes('reasoning_content')
          ? wire.json(400, { error: { message: text } })
          : wire.json(200, completion({ content: 'hi' }, usage));
    upstream.script(refuse('The `reasoning_content` in the thinking mode must be passed back to the API.'));
    await expect(completeChat(deps, strict, { messages: [message] })).rejects.toMatchObject({
      kind: 'refused',
    });
    upstream.script(refuse("'messages.0' : property 'reasoning_content' is unsupported"));
    for (let i = 0; i < 2; i++) await completeChat(deps, strict, { messages: [message] });
    expect(upstream.requests).toHaveLength(3);
    upstream.script((wire, request) =>
      JSON.stringify(request.body).includes('reasoning_content')
        ? wire.json(200, completion({ content: 'hi' }, usage))
        : wire.json(400, { error: { message: '`reasoning_content` must be passed back to the API.' } }),
    );
    for (let i = 0; i < 2; i++) await completeChat(deps, strict, { messages: [message] });
    expect(upstream.requests).toHaveLength(3);
  });

  test('stays left out where a refusal has its name and means something else, which is what the caller is told', async () => {
    const strict = modelAt(upstream.baseUrl);
    const message = await made(strict, answer);
    const refuse =
      (text: string): UpstreamScript =>
      (wire) =>
        wire.json(400, { error: { message: text } });
    upstream.script(refuse("'reasoning_content' is unsupported"), (wire) =>
      wire.json(200, completion({ content: 'hi' }, usage)),
    );
    await completeChat(deps, strict, { messages: [message] });
    upstream.script(
      refuse('Too long, with reasoning_content.'),
      refuse("'reasoning_content' is unsupported"),
    );
    await expect(completeChat(deps, strict, { messages: [message] })).rejects.toMatchObject({
      words: 'Too long, with reasoning_content.',
    });
    upstream.script((wire) => wire.json(200, completion({ content: 'hi' }, usage)));
    await completeChat(deps, strict, { messages: [message] });
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('reasoning_content');
  });
});

test.each([
  ['<think>\nHm.\n</think>\n\nIt is.', 'It is.'],
  [' <think></think>It is <think>not</think>.', 'It is <think>not</think>.'],
  ['<think>It was cut', null],
  ['The tag <think> begins it.', 'The tag <think> begins it.'],
])('the answer of %j is %j, and its thinking goes back', async (content, text) => {
  upstream.script((wire) => wire.json(200, completion({ content }, usage)));
  const { message } = await completeChat(deps, model, body);
  expect(message.content).toBe(text);
  upstream.script(ok);
  await completeChat(deps, model, { messages: [message] });
  expect(upstream.requests[0]?.body.messages).toEqual([{ role: 'assistant', content }]);
});

test('calls of tools are read, also as careless servers write them', async () => {
  const calls = [
    { id: 'a', type: 'function', function: { name: 'x', arguments: '{"a":1}' } },
    { function: { name: 'y', arguments: { b: 2 } } },
    { function: {} },
    null,
  ];
  upstream.script((wire) => wire.json(200, completion({ tool_calls: calls }, usage, 'tool_calls')));
  const { message, finishReason } = await completeChat(deps, model, body);
  expect(finishReason).toBe('tool_calls');
  expect(message).toEqual({
    role: 'assistant',
    content: null,
    tool_calls: [calls[0], { id: '', type: 'function', function: { name: 'y', arguments: '{"b":2}' } }],
  });
});

test.each([
  [
    { content: [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'It ' }, { text: 'is.' }, null] },
    'It is.',
  ],
  [{ content: [], refusal: 'I will not.' }, 'I will not.'],
  [{ content: [{ type: 'reasoning', text: 'Hm.' }] }, null],
  [{ content: { text: 'odd' } }, null],
  [{}, null],
])('the message %j says %j', async (given, content) => {
  upstream.script((wire) => wire.json(200, completion(given, usage)));
  expect((await completeChat(deps, model, body)).message.content).toBe(content);
});

test('a completion without usage is counted', async () => {
  upstream.script((wire) => wire.json(200, completion({ content: 'hello world' })));
  expect((await completeChat(deps, model, body)).usage).toEqual({
    inputTokens: 9,
    cachedInputTokens: 0,
    outputTokens: 2,
  });
});

describe('tries again', () => {
  test('after what passes, with growing waits', async () => {
    // `close`, because a request on a kept connection would be sent again at once, without the wait that is tested.
    upstream.script(
      busy({ Connection: 'close' }),
      (wire) => wire.reset(),
      (wire) => wire.json(429, {}),
      ok,
    );
    expect((await completeChat(deps, model, body)).message.content).toBe('hi');
    expect(waits).toHaveLength(3);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index);
    }
  });

  test.each([
    ['7', 7_000],
    ['0', 0],
    ['3600', 60_000],
    ['Sat, 21 Nov 2026 10:00:09 GMT', 9_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ])('not before Retry-After: %s', async (value, milliseconds) => {
    upstream.script(busy({ 'Retry-After': value, Date: 'Sat, 21 Nov 2026 10:00:00 GMT' }), ok);
    await completeChat(deps, model, body);
    expect(waits[0]).toBeGreaterThanOrEqual(milliseconds);
    expect(waits[0]).toBeLessThanOrEqual(milliseconds + 500);
  });

  test('as often as it is told, then throws the last failure', async () => {
    upstream.script(busy());
    const failure = completeChat(deps, model, body, { attempts: 2 });
    await expect(failure).rejects.toMatchObject({ name: 'UpstreamError', kind: 'busy', status: 503 });
    expect(upstream.requests).toHaveLength(2);
  });

  test('an answer that cannot be read: a proxy in trouble may send a page of HTML', async () => {
    upstream.script((wire) => wire.json(200, '<html>'), ok);
    expect((await completeChat(deps, model, body)).message.content).toBe('hi');
    expect(waits).toHaveLength(1);
  });

  test('not where the wait would be longer than the caller waits', async () => {
    upstream.script(busy({ 'Retry-After': '3' }), ok);
    const failure = completeChat(deps, model, body, { longestWaitMilliseconds: 2_000 });
    await expect(failure).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 3 });
    expect([upstream.requests.length, waits.length]).toEqual([1, 0]);
  });

  test('over the fallbacks first, in their order', async () => {
    upstream.script(busy());
    second.script(busy(), ok);
    const both = modelAt(upstream.baseUrl, second.baseUrl);
    expect((await completeChat(deps, both, body)).message.content).toBe('hi');
    expect([upstream.requests.length, second.requests.length, waits.length]).toEqual([2, 2, 1]);
  });

  test.each([
    [400, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
    [401, 'misconfigured'],
    [403, 'misconfigured'],
    [404, 'misconfigured'],
    [302, 'misconfigured'],
  ])('but not after %d', async (status, kind) => {
    upstream.script((wire) =>
      wire.json(status, { error: { code: 'some_code', param: 'messages', message: 'no, sk-secret' } }),
    );
    const failure = await completeChat(deps, modelAt(upstream.baseUrl, second.baseUrl), body).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ kind, status, code: 'some_code', param: 'messages' });
    expect(upstream.requests).toHaveLength(1);
    expect(failure.words).toBe(kind === 'refused' ? 'no, [removed]' : undefined);
    expect(inspect(failure, { showHidden: true })).not.toContain('sk-secret');
  });
});

test.each(['<html>', '{}', '{"choices":[]}', '{"choices":[{"message":null}]}', 'null'])(
  '%s is unreadable',
  async (text) => {
    upstream.script((wire) => wire.json(200, text));
    await expect(completeChat(deps, model, body)).rejects.toMatchObject({ kind: 'unreadable' });
  },
);

test('an answer that is cut short counts as a broken connection', async () => {
  upstream.script(async (wire) => {
    await wire.head(200, { 'Content-Length': '1000' });
    await wire.send('{"choices":');
    wire.reset();
  });
  await expect(completeChat(deps, model, body, { attempts: 1 })).rejects.toMatchObject({ kind: 'broken' });
});

test('the time limit covers all attempts and waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  upstream.script(() => void vi.advanceTimersByTime(10_000));
  const failure = completeChat(deps, model, body, { timeoutMilliseconds: 10_000 });
  await expect(failure).rejects.toMatchObject({ kind: 'timeout' });
  expect(upstream.requests).toHaveLength(1);
});

test('an upstream that takes the request and never answers is given up after twice its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  upstream.script(() => void vi.advanceTimersByTime(180_000));
  const failure = completeChat(deps, model, body, { attempts: 9 });
  await expect(failure).rejects.toMatchObject({ kind: 'timeout' });
  expect(upstream.requests).toHaveLength(2);
});

describe('an upstream that sends nothing of its answer in `firstByteSeconds`', () => {
  const hurried = (...baseUrls: string[]): Model => ({ ...modelAt(...baseUrls), firstByteSeconds: 20 });
  const late = 20_000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  test.each([
    ['no head', async () => {}],
    ['a head alone', (wire: Wire) => wire.head()],
  ])('is broken off with %s, and the next one is asked', async (_, begin) => {
    const closed = Promise.withResolvers<void>();
    upstream.script(async (wire) => {
      await begin(wire);
      void wire.closed.then(closed.resolve);
      vi.advanceTimersByTime(late);
    });
    second.script(ok);
    const taking: Taking = { taken: false };
    const both = hurried(upstream.baseUrl, second.baseUrl);
    expect((await completeChat(deps, both, body, { taking })).message.content).toBe('hi');
    expect(taking.upstream).toBe(`${new URL(second.baseUrl).host}/big-1`);
    expect(waits).toEqual([]);
    await closed.promise;
  });

  test('is waited for if it is the last one', async () => {
    upstream.script((wire) => {
      vi.advanceTimersByTime(late);
      return ok(wire, {} as never);
    });
    expect((await completeChat(deps, hurried(upstream.baseUrl), body)).message.content).toBe('hi');
  });

  test('is told from one whose answer has begun', async () => {
    upstream.script(async (wire) => {
      await wire.head();
      await wire.send('\n');
      await heard.promise;
      vi.advanceTimersByTime(late);
      await wire.send(JSON.stringify(completion({ content: 'slow' }, usage)));
      wire.end();
    });
    const heard = Promise.withResolvers<void>();
    const clock = Object.assign(() => now, {
      startTimer: (milliseconds: number, end: () => void) => {
        const timer = setTimeout(end, milliseconds);
        return () => {
          clearTimeout(timer);
          heard.resolve();
        };
      },
    });
    const both = hurried(upstream.baseUrl, second.baseUrl);
    expect((await completeChat({ ...deps, clock }, both, body)).message.content).toBe('slow');
  });
});

test('an aborted signal ends the completion at once with its reason, and closes the connection', async () => {
  const controller = new AbortController();
  const closed = Promise.withResolvers<void>();
  upstream.script((wire) => {
    void wire.closed.then(closed.resolve);
    controller.abort(new Error('enough'));
  });
  await expect(completeChat(deps, model, body, { signal: controller.signal })).rejects.toThrow('enough');
  await closed.promise;
  await expect(completeChat(deps, model, body, { signal: controller.signal })).rejects.toThrow('enough');
  expect(upstream.requests).toHaveLength(1);
});

test('an unreachable upstream counts as a broken connection', async () => {
  const gone = await startUpstream();
  await gone.close();
  const failure = completeChat(deps, modelAt(gone.baseUrl), body, { attempts: 1 });
  await expect(failure).rejects.toMatchObject({ kind: 'broken', systemCode: 'ECONNREFUSED' });
});

test('the log names model and status, no key and no text', async () => {
  const lines: string[] = [];
  upstream.script(busy());
  second.script(ok);
  const log = createLog((line) => void lines.push(line));
  await completeChat({ ...deps, log }, modelAt(upstream.baseUrl, second.baseUrl), body);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    model: 'writer',
    failure: 'busy',
    status: 503,
  });
  expect(lines[0]).not.toContain('sk-secret');
});
