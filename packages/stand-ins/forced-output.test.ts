import type OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type StandIns, startStandIns } from './server.ts';
import { openaiClient } from './test-support/converse.ts';

let standIns: StandIns;
let client: OpenAI;
beforeAll(async () => {
  standIns = await startStandIns({ host: '127.0.0.1' });
  client = openaiClient(standIns.baseUrl);
});
afterAll(() => standIns.close());

type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'stream'>;
type Tool = OpenAI.ChatCompletionFunctionTool;

const hello: Body = { messages: [{ role: 'user', content: 'Hello, who is there?' }] };
const defineTool = (name: string, parameters: Record<string, unknown>): Tool => ({
  type: 'function',
  function: { name, parameters },
});
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = defineTool('get_weather', city);
const clock = defineTool('tellTime', { type: 'object', properties: {} });
const tools = [weather, clock];

const named = (name: string) => ({ type: 'function' as const, function: { name } });

async function ask(body: Body) {
  const { choices } = await client.chat.completions.create({ model: 'stand-in', ...body });
  const { message, finish_reason: reason } = choices[0]!;
  const calls = (message.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [call.function] : [],
  );
  return { content: message.content, reason, calls };
}

describe('response_format', () => {
  test('json_object is answered with an object', async () => {
    const { content, reason } = await ask({ ...hello, response_format: { type: 'json_object' } });
    expect(JSON.parse(content!)).toEqual({ answer: 'stand-in' });
    expect(reason).toBe('stop');
  });

  test('json_schema is answered with what a zod schema reads, streamed in several deltas or not', async () => {
    interface Person {
      name: string;
      friends: Person[];
    }
    const person: z.ZodType<Person> = z.lazy(() => z.object({ name: z.string(), friends: z.array(person) }));
    const form = z.object({
      person,
      age: z.number().int().positive().max(120),
      kind: z.enum(['a', 'b']),
      of: z.literal('form'),
      places: z.array(z.object({ city: z.string().min(10) })).min(2),
    });
    const request = { model: 'stand-in', ...hello, response_format: zodResponseFormat(form, 'form') };
    const plain = await client.chat.completions.parse(request);
    const place = { city: 'stand-in s' };
    expect(plain.choices[0]!.message.parsed).toEqual({
      ...{ person: { name: 'stand-in', friends: [] }, age: 1, kind: 'a', of: 'form' },
      places: [place, place],
    });
    let deltas = 0;
    const stream = client.chat.completions.stream(request).on('content.delta', () => deltas++);
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]!.message.parsed).toEqual(plain.choices[0]!.message.parsed);
    expect(deltas).toBeGreaterThan(5);
  });

  test('text is answered with text', async () => {
    expect((await ask({ ...hello, response_format: { type: 'text' } })).content).toContain('stand-in');
  });

  const formatted = async (schema: Record<string, unknown>): Promise<unknown> => {
    const format = { type: 'json_schema' as const, json_schema: { name: 'odd', schema } };
    return JSON.parse((await ask({ ...hello, response_format: format })).content!);
  };

  const chain = {
    type: 'object',
    properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
    required: ['next'],
  };
  const linked = (links: number): unknown => (links === 0 ? null : { next: linked(links - 1) });

  test.each<[string, Record<string, unknown>, unknown]>([
    ['a text that says that it is from a stand-in', { type: 'string' }, 'stand-in'],
    ['a text of its length', { type: 'string', minLength: 12, maxLength: 12 }, 'stand-in sta'],
    ['a short text', { maxLength: 5 }, 'stand'],
    ['null only where nothing else is asked for', { type: ['null', 'boolean'] }, true],
    ['null', { type: 'null' }, null],
    ['0 within its bounds', { type: 'integer', minimum: -3, maximum: 4 }, 0],
    ['a number beside its bound', { type: 'integer', exclusiveMinimum: 4 }, 5],
    ['a number under its bound', { type: 'integer', exclusiveMaximum: -1.5 }, -2],
    ['a number between bounds', { exclusiveMinimum: 1, exclusiveMaximum: 2 }, 1.5],
    ['the first of the values that fit', { enum: ['a', 7, 'b'], type: 'number' }, 7],
    ['a constant', { const: { a: [1] } }, { a: [1] }],
    ['an empty list', { items: { type: 'string' } }, []],
    ['as many items as are asked for', { type: 'array', minItems: 2 }, ['stand-in', 'stand-in']],
    ['required members alone', { properties: { a: {}, b: { const: 1 } }, required: ['b'] }, { b: 1 }],
    [
      'a required member that is not declared',
      { required: ['a'], additionalProperties: { type: 'boolean' } },
      { a: true },
    ],
    ['a multiple within its bounds', { type: 'integer', minimum: 3, multipleOf: 5 }, 5],
    ['the first of several schemas, and null last', { anyOf: [{ type: 'null' }, { const: 3 }] }, 3],
    ['another where the first cannot be made', { anyOf: [{ minimum: 2, maximum: 1 }, { enum: [7] }] }, 7],
    ['what one schema alone accepts', { oneOf: [{ type: 'integer' }, { minimum: 1, type: 'number' }] }, 0],
    ['null where members of its own kind would not end', chain, linked(6)],
    ['an email address', { type: 'string', format: 'email' }, 'stand-in@example.com'],
    ['a text of a format that is not known', { format: 'colour' }, 'stand-in'],
    ['a text for a pattern', { pattern: '^(?:[A-Z]{2}|x)-\\d{3,}\\.(a|b)?$' }, 'AA-000.'],
    ['a longer text for a pattern', { pattern: '^[a-c]+$', minLength: 4 }, 'aaaa'],
    ['a text that fits a pattern as it is', { pattern: 'in' }, 'stand-in'],
    [
      'what definitions of the document say',
      { $ref: '#/$defs/a~1b', $defs: { 'a/b': { $ref: '#/$defs/c' }, c: { const: 2 } }, title: 'x' },
      2,
    ],
  ])('is answered with %s', async (_, schema, value) => {
    expect(await formatted(schema)).toEqual(value);
  });

  const without = (keyword: string) => new RegExp(`does not understand "${keyword.replace('$', '\\$')}"`);
  const self = { type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] };
  const doubling = (level: number): object =>
    level === 0 ? {} : { type: 'array', minItems: 2, items: doubling(level - 1) };
  test.each<[string, Record<string, unknown>, RegExp]>([
    ...[
      { allOf: [{}] },
      { not: {} },
      { if: {} },
      { type: 'array', uniqueItems: true },
      { type: 'array', prefixItems: [{}] },
      { type: 'array', contains: {} },
      { type: 'object', minProperties: 1 },
      { type: 'object', patternProperties: {} },
      { type: 'object', unevaluatedProperties: false },
      { $dynamicRef: '#a' },
    ].map((schema): [string, Record<string, unknown>, RegExp] => {
      const keyword = Object.keys(schema).at(-1)!;
      return [keyword, schema, without(keyword)];
    }),
    ['no schema of several', { anyOf: [false, { allOf: [] }] }, /does not understand "allOf"/],
    ['a pattern that is no regular expression', { pattern: '(' }, /cannot use the pattern "\("/],
    ['a pattern that nothing fits', { pattern: 'a^' }, /no text was found for "pattern"/],
    [
      'a pattern that takes for ever',
      { pattern: '^(a+)+$', enum: [`${'a'.repeat(40)}!`] },
      /cannot use the pattern/,
    ],
    [
      'a format that is longer than allowed',
      { format: 'uuid', maxLength: 5 },
      /no text was found for "format"/,
    ],
    ['a bound beside a $ref', { $ref: '#/$defs/a', minLength: 1 }, /"minLength" beside "\$ref"/],
    [
      'a $ref to elsewhere',
      { $ref: 'https://example.com/a' },
      /'odd'.*cannot follow the \$ref to another document/,
    ],
    ['a $ref to nothing', { $ref: '#/$defs/none' }, /leads nowhere/],
    ['a recursion without an end', self, /without an end/],
    ['a $ref to itself', { $ref: '#' }, /without an end/],
    ['a member that accepts nothing', { properties: { a: false }, required: ['a'] }, /accepts nothing/],
    ['bounds that contradict each other', { minimum: 2, maximum: 1 }, /no value was found/],
    ['values that do not fit', { enum: [1], type: 'string' }, /no value was found/],
    ['a long list', { type: 'array', minItems: 1e9 }, /more than 500 items/],
    ['a long text', { type: 'string', minLength: 1e9 }, /"minLength" is more than 10000/],
    ['lists that double', doubling(20) as Record<string, unknown>, /too large/],
  ])('that the stand-in cannot fulfil is a 400 that says why: %s', async (_, schema, reason) => {
    await expect(formatted(schema)).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_schema',
      param: 'response_format',
      type: 'invalid_request_error',
      message: expect.stringMatching(reason),
    });
  });

  test('of a schema that is nested 2,000 levels deep is a 400', async () => {
    let schema: Record<string, unknown> = {};
    for (let level = 0; level < 2_000; level++) schema = { not: schema };
    await expect(
      ask({ ...hello, response_format: { type: 'json_schema', json_schema: { name: 'deep', schema } } }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

const allowOnlyTime: OpenAI.ChatCompletionAllowedToolChoice = {
  type: 'allowed_tools',
  allowed_tools: { mode: 'required', tools: [named('tellTime')] },
};

describe('tool_choice', () => {
  test('that names a function has it called, and ends with "stop" as at OpenAI', async () => {
    for (const stream of [false, true]) {
      const request = { model: 'stand-in', ...hello, tools, tool_choice: named('get_weather') };
      const { choices } = stream
        ? await client.chat.completions.stream(request).finalChatCompletion()
        : await client.chat.completions.create(request);
      expect(choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: {
          content: null,
          tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"stand-in"}' } }],
        },
      });
    }
  });

  test.each([
    ['the first tool is called', 'Hello', 'required' as const, 'get_weather'],
    ['the tool that the message names is called', 'Please tell time!', 'required' as const, 'tellTime'],
    ['a tool that is not allowed is not called', 'How is the weather?', allowOnlyTime, 'tellTime'],
  ])('that requires a call: %s', async (_what, content, choice, called) => {
    const { calls, reason } = await ask({
      messages: [{ role: 'user', content }],
      tools,
      tool_choice: choice,
    });
    expect(calls.map(({ name }) => name)).toEqual([called]);
    expect(reason).toBe('tool_calls');
  });

  test('streams the arguments in several deltas', async () => {
    const stream = await client.chat.completions.create({
      ...{ model: 'stand-in', ...hello, stream: true },
      ...{ tools, tool_choice: named('get_weather') },
    });
    const pieces: string[] = [];
    for await (const { choices } of stream) {
      for (const call of choices[0]?.delta.tool_calls ?? []) pieces.push(call.function?.arguments ?? '');
    }
    expect(pieces.filter((piece) => piece !== '').length).toBeGreaterThan(1);
    expect(JSON.parse(pieces.join(''))).toEqual({ city: 'stand-in' });
  });

  test("calls a tool that has the name of one of the agent's with arguments of its own schema", async () => {
    const search = defineTool('web_search', {
      type: 'object',
      properties: { q: { const: 'x' } },
      required: ['q'],
      additionalProperties: false,
    });
    const messages = [{ role: 'user' as const, content: 'Search for tea' }];
    const { calls } = await ask({ messages, tools: [search], tool_choice: 'required' });
    expect(calls).toEqual([{ name: 'web_search', arguments: '{"q":"x"}' }]);
  });

  test('without the tool, or with a schema that no object fits, is a 400', async () => {
    const refused = { status: 400, type: 'invalid_request_error' };
    await expect(ask({ ...hello, tools, tool_choice: named('other') })).rejects.toMatchObject(refused);
    await expect(ask({ ...hello, tool_choice: 'required' })).rejects.toMatchObject(refused);
    const odd = defineTool('odd', { type: 'string' });
    await expect(ask({ ...hello, tools: [odd], tool_choice: named('odd') })).rejects.toMatchObject({
      ...refused,
      code: 'unsupported_schema',
      message: expect.stringContaining("'odd'"),
    });
  });
});

describe("a caller's own tools", () => {
  const weatherIn = {
    messages: [{ role: 'user' as const, content: 'How is the weather in Rome, and tell time?' }],
    tools,
  };

  test('are called where the question names them, one at a time if asked to', async () => {
    expect((await ask(weatherIn)).calls.map(({ name }) => name)).toEqual(['get_weather', 'tellTime']);
    const { calls } = await ask({ ...weatherIn, parallel_tool_calls: false });
    expect(calls.map(({ name }) => name)).toEqual(['get_weather']);
  });

  test('are not called where it does not', async () => {
    const { calls, content } = await ask({ ...hello, tools });
    expect(calls).toEqual([]);
    expect(content).toContain('Hello, who is there?');
  });

  test.each(['auto', 'required'] as const)(
    'are each called once where the choice is %s, then reported',
    async (choice) => {
      const called: string[] = [];
      const runnable = (name: string, parameters: object, answer: string) => ({
        type: 'function' as const,
        function: {
          ...{ name, parameters, description: 'A tool' },
          function: () => {
            called.push(name);
            return answer;
          },
        },
      });
      const runner = client.chat.completions.runTools({
        model: 'stand-in',
        messages: weatherIn.messages,
        parallel_tool_calls: false,
        tool_choice: choice,
        tools: [runnable('get_weather', city, 'It is 21 degrees.'), runnable('tellTime', {}, 'It is noon.')],
      });
      const answer = await runner.finalContent();
      expect(called).toEqual(['get_weather', 'tellTime']);
      expect(answer).toContain('It is 21 degrees.');
      expect(answer).toContain('It is noon.');
    },
  );

  test('are called again for the next question', async () => {
    const call = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'get_weather', arguments: '{}' },
    };
    const { calls } = await ask({
      tools,
      messages: [
        { role: 'user', content: 'How is the weather?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Fine.' },
        { role: 'assistant', content: 'It is fine.' },
        { role: 'user', content: 'And the weather in Oslo?' },
      ],
    });
    expect(calls.map(({ name }) => name)).toEqual(['get_weather']);
  });
});
