import * as fc from 'fast-check';
import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StandIns, startStandIns } from '../server.ts';
import { defineTools, openaiClient } from '../test-support/converse.ts';

let standIns: StandIns;
let client: OpenAI;
beforeAll(async () => {
  standIns = await startStandIns({ host: '127.0.0.1', clock: () => 1_700_000_000_900 });
  client = openaiClient(standIns.baseUrl);
});
afterAll(() => standIns.close());

const hello = { model: 'stand-in', messages: [{ role: 'user' as const, content: 'Hello, who is there?' }] };
const search = [{ role: 'user' as const, content: 'Search for tea and remember that a is b' }];
const tools = defineTools(['web_search', 'save_data']);

async function post(body: unknown): Promise<{ status: number; error: Record<string, unknown> }> {
  const response = await fetch(`${standIns.baseUrl}/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { error: Record<string, unknown> }) };
}

describe('an answer that is to be written slowly', () => {
  let waits: { milliseconds: number; goOn: () => void }[];
  let slow: StandIns;
  const slowly = [{ role: 'user' as const, content: 'Who is there? Write slowly.' }];
  beforeAll(async () => {
    slow = await startStandIns({
      host: '127.0.0.1',
      wait: (milliseconds) => new Promise<void>((goOn) => waits.push({ milliseconds, goOn })),
    });
  });
  afterAll(() => slow.close());
  beforeEach(() => {
    waits = [];
  });

  test('comes word by word, each when its time is over', async () => {
    const chunks = await openaiClient(slow.baseUrl).chat.completions.create({
      ...hello,
      messages: slowly,
      stream: true,
    });
    let seen = 0;
    for await (const _ of chunks) {
      seen++;
      await expect.poll(() => waits.length).toBe(seen);
      waits.at(-1)?.goOn();
    }
    expect(seen).toBeGreaterThan(10);
  });

  test('takes as long in one piece', async () => {
    const asked = openaiClient(slow.baseUrl).chat.completions.create({ ...hello, messages: slowly });
    await expect.poll(() => waits.length).toBe(1);
    expect(waits[0]?.milliseconds).toBeGreaterThan(100);
    waits[0]?.goOn();
    expect((await asked).choices[0]?.finish_reason).toBe('stop');
  });
});

describe('a plain completion', () => {
  test('has the fields of the API and adds up its usage', async () => {
    const completion = await client.chat.completions.create(hello);
    expect(completion).toMatchObject({
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'stand-in',
    });
    expect(completion.choices[0]).toMatchObject({
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant' },
    });
    const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details } = completion.usage!;
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(completion_tokens).toBe(Math.ceil(Buffer.byteLength(completion.choices[0]!.message.content!) / 4));
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(prompt_tokens_details?.cached_tokens).toBe(0);
  });

  test('of the same request is the same, id included', async () => {
    const [one, two] = await Promise.all([
      client.chat.completions.create(hello),
      client.chat.completions.create(hello),
    ]);
    expect(two).toEqual(one);
  });

  test.each(['max_tokens', 'max_completion_tokens'])('keeps to %s', async (field) => {
    const completion = await client.chat.completions.create({ ...hello, [field]: 5 });
    expect(completion.choices[0]!.finish_reason).toBe('length');
    expect(completion.usage!.completion_tokens).toBe(5);
  });

  test('has as many choices as asked for', async () => {
    const completion = await client.chat.completions.create({ ...hello, n: 3 });
    expect(completion.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test('tells format and size of an image that came as data', async () => {
    const gif = Buffer.from('GIF89a\x03\x00\x02\x00\x00\x00\x00;', 'latin1').toString('base64');
    const see = async (url: string) => {
      const completion = await client.chat.completions.create({
        model: 'stand-in-vision',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is it?' },
              { type: 'image_url', image_url: { url } },
            ],
          },
        ],
      });
      return completion.choices[0]!.message.content!;
    };
    expect(await see(`data:image/gif;base64,${gif}`)).toContain('GIF of 3 x 2 pixels');
    expect(await see('data:image/png;base64,AAAA')).toContain('no image format known here');
    expect(await see('https://img.example.com/cat.png')).toContain('https://img.example.com/cat.png');
  });
});

describe('tools', () => {
  test('are called with JSON arguments and distinct ids', async () => {
    const completion = await client.chat.completions.create({ model: 'stand-in', messages: search, tools });
    const { finish_reason, message } = completion.choices[0]!;
    expect(finish_reason).toBe('tool_calls');
    expect(message.content).toBeNull();
    const calls = message.tool_calls!;
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(calls.map((call) => call.type === 'function' && JSON.parse(call.function.arguments))).toEqual([
      { query: 'tea' },
      { name: 'a', value: 'b' },
    ]);
  });

  test('are not called where tool_choice is none', async () => {
    const request = { model: 'stand-in', messages: search, tools, tool_choice: 'none' as const };
    const completion = await client.chat.completions.create(request);
    expect(completion.choices[0]!.message.tool_calls).toBeUndefined();
    expect(completion.choices[0]!.message.content).toContain('stand-in');
  });

  test('are called with arguments of their schema where tool_choice demands it', async () => {
    const completion = await client.chat.completions.create({
      ...hello,
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            parameters: {
              type: 'object',
              properties: {
                city: { type: 'string' },
                unit: { enum: ['C', 'F'] },
                days: { type: 'integer', minimum: 1 },
              },
              required: ['city', 'unit', 'days'],
            },
          },
        },
      ],
      tool_choice: 'required',
    });
    const call = completion.choices[0]!.message.tool_calls![0]!;
    expect(call.type === 'function' && JSON.parse(call.function.arguments)).toEqual({
      city: 'stand-in',
      unit: 'C',
      days: 1,
    });
  });
});

describe('a stream', () => {
  test('of calls gives the same calls as the plain completion', async () => {
    const request = { model: 'stand-in', messages: search, tools };
    const plain = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]!.message.tool_calls).toMatchObject(plain.choices[0]!.message.tool_calls!);
    expect(streamed.choices[0]!.finish_reason).toBe('tool_calls');
  });

  test('has usage on one last chunk without choices where it was asked for, and ends with [DONE]', async () => {
    const response = await fetch(`${standIns.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ ...hello, stream: true, stream_options: { include_usage: true } }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const lines = (await response.text()).trimEnd().split('\n\n');
    expect(lines.pop()).toBe('data: [DONE]');
    const chunks = lines.map((line) => JSON.parse(line.slice('data: '.length)));
    const last = chunks.pop();
    expect(last).toMatchObject({ object: 'chat.completion.chunk', choices: [] });
    expect(last.usage).toEqual((await client.chat.completions.create(hello)).usage);
    expect(chunks.every(({ usage }) => usage === null)).toBe(true);
    expect(chunks.at(-1).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
  });

  test('has no usage if the request does not ask for usage', async () => {
    const stream = await client.chat.completions.create({ ...hello, stream: true });
    for await (const chunk of stream) expect(chunk).not.toHaveProperty('usage');
  });

  test('put together is the plain answer, whatever was said', async () => {
    const said = fc.string({ unit: 'grapheme', maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(said, fc.option(fc.integer({ min: 1, max: 60 })), async (content, limit) => {
        const request = {
          model: 'stand-in',
          messages: [{ role: 'user' as const, content }],
          max_tokens: limit,
        };
        const plain = await client.chat.completions.create(request);
        let text = '';
        let reason: string | null = null;
        for await (const { choices } of await client.chat.completions.create({ ...request, stream: true })) {
          text += choices[0]?.delta.content ?? '';
          reason = choices[0]?.finish_reason ?? reason;
        }
        expect(text).toBe(plain.choices[0]!.message.content);
        expect(reason).toBe(plain.choices[0]!.finish_reason);
      }),
      { numRuns: 40 },
    );
  });
});

describe('refusals', () => {
  test.each([
    ['a body that is not JSON', '{'],
    ['no messages', { model: 'stand-in' }],
    ['empty messages', { model: 'stand-in', messages: [] }],
    ['a message without role', { model: 'stand-in', messages: [{ content: 'x' }] }],
    ['max_tokens of 0', { ...hello, max_tokens: 0 }],
    ['an unknown kind of content', { ...hello, messages: [{ role: 'user', content: [{ type: 'smell' }] }] }],
    [
      'a forced tool that is not offered',
      { ...hello, tool_choice: { type: 'function', function: { name: 'x' } } },
    ],
    [
      'a tool message that answers nothing',
      { ...hello, messages: [{ role: 'tool', tool_call_id: 'a', content: '' }] },
    ],
    [
      'a call without its tool message',
      {
        ...hello,
        messages: [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }],
          },
          { role: 'user', content: 'And?' },
        ],
      },
    ],
  ])('400 for %s', async (_what, body) => {
    const { status, error } = await post(body);
    expect(status).toBe(400);
    expect(error).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) });
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code']);
  });

  test('a file is refused in words, with its place', async () => {
    const { error } = await post({ ...hello, messages: [{ role: 'user', content: [{ type: 'file' }] }] });
    expect(error).toMatchObject({
      message: 'Invalid request: A stand-in reads texts and images alone',
      param: 'messages.0.content',
    });
  });

  test.each(['gpt-unknown', 'stand-in-speech'])('404 for the model %s', async (model) => {
    const { status, error } = await post({ ...hello, model });
    expect(status).toBe(404);
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model' });
  });
});
