import OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { useServiceAlone } from '../support/use-service.ts';

let client: OpenAI;
useServiceAlone(({ service: { baseUrl, apiKey } }) => {
  client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 });
});

const model = 'stand-in';
const messages = [{ role: 'user' as const, content: 'How is the weather in Rome?' }];
const city = z.object({ city: z.string() });
const report = z.object({
  place: z.string(),
  degrees: z.number().min(-90).max(60),
  sky: z.enum(['clear', 'cloudy']),
  warnings: z.array(z.object({ text: z.string(), hours: z.number().int().positive() })).min(1),
});
const reported = {
  place: 'stand-in',
  degrees: 0,
  sky: 'clear',
  warnings: [{ text: 'stand-in', hours: 1 }],
};

describe('without any provider, the openai client', () => {
  test('parses what a zod schema describes', async () => {
    const request = { model, messages, response_format: zodResponseFormat(report, 'report') };
    const { choices, usage } = await client.chat.completions.parse(request);
    expect(choices[0]!.message.parsed).toEqual(reported);
    expect(usage!.completion_tokens).toBeGreaterThan(0);
  });

  test('streams it, and the parts add up to what is parsed', async () => {
    const stream = client.chat.completions.stream({
      ...{ model, messages },
      response_format: zodResponseFormat(report, 'report'),
    });
    let text = '';
    stream.on('content.delta', ({ delta }) => {
      text += delta;
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]!.message.parsed).toEqual(reported);
    expect(report.parse(JSON.parse(text))).toEqual(choices[0]!.message.parsed);
  });

  test('streams the call of a tool that it names, with arguments that its zod schema parses', async () => {
    const stream = client.chat.completions.stream({
      ...{ model, messages },
      tools: [zodFunction({ name: 'get_weather', parameters: city })],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
    let deltas = 0;
    stream.on('tool_calls.function.arguments.delta', () => deltas++);
    const { choices } = await stream.finalChatCompletion();
    const [call] = choices[0]!.message.tool_calls ?? [];
    expect(call).toMatchObject({ function: { parsed_arguments: { city: 'stand-in' } } });
    expect(deltas).toBeGreaterThan(1);
  });

  test.each([false, true])('runs its tools until there is an answer (streamed: %s)', async (stream) => {
    const asked: unknown[] = [];
    const tool = zodFunction({
      name: 'get_weather',
      description: 'The weather of a city',
      parameters: city,
      function: (input) => {
        asked.push(input);
        return `It is 21 degrees in ${input.city}.`;
      },
    });
    const request = { model, messages, tools: [tool] };
    const runner = stream
      ? client.chat.completions.runTools({ ...request, stream: true })
      : client.chat.completions.runTools(request);
    expect(await runner.finalContent()).toContain('It is 21 degrees in stand-in.');
    expect(asked).toEqual([{ city: 'stand-in' }]);
  });

  test('gets a 400 for a schema that the stand-in cannot fulfil', async () => {
    const schema = { type: 'object', properties: { a: false }, required: ['a'] };
    const format = { type: 'json_schema' as const, json_schema: { name: 'odd', schema } };
    const refused = client.chat.completions.create({ model, messages, response_format: format });
    await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });
});
