import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedUpstream, startUpstream, type Wire } from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';
import {
  answersPlainly,
  chunk,
  done,
  event,
  hello,
  plainAnswer,
  streams,
  upstreamUsage,
  usageChunk,
} from './support/chunks.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
let openai: OpenAI;

beforeAll(async () => {
  upstream = await startUpstream();
  const { models, roles } = chatCatalogue(upstream.baseUrl);
  const nested = { ...models[0]!, id: 'house/writer', compressed: false };
  service = await startChatService({ models: [...models, nested], roles });
  openai = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.key, maxRetries: 0 });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const messages = [{ role: 'user' as const, content: 'Say hello' }];
const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};
const callParts = ['{"ci', 'ty":"Köln"}'];
const toolStream = streams(
  event(
    chunk({
      role: 'assistant',
      content: null,
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } },
      ],
    }),
  ),
  ...callParts.map((part) => event(chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }))),
  event(chunk({}, 'tool_calls')),
  event(usageChunk),
  done,
);

describe('the openai client', () => {
  test('completes', async () => {
    upstream.script(answersPlainly);
    const completion = await openai.chat.completions.create({ model: 'writer', messages });
    expect(completion.model).toBe('writer');
    expect(completion.choices[0]?.message.content).toBe('Hello');
    expect(completion.usage).toEqual(upstreamUsage);
    expect(completion).toHaveProperty('impact.energy.unit', 'Wms');
  });

  test('streams, with usage once, asked for or not', async () => {
    for (const options of [{}, { stream_options: { include_usage: true } }]) {
      upstream.script(hello);
      const usages: unknown[] = [];
      let text = '';
      const stream = await openai.chat.completions.create({
        model: 'writer',
        messages,
        stream: true,
        ...options,
      });
      for await (const part of stream) {
        text += part.choices[0]?.delta.content ?? '';
        if (part.usage) usages.push(part.usage);
      }
      expect(text).toBe('Hello');
      expect(usages).toEqual([upstreamUsage]);
    }
  });

  test('has a first choice on every chunk unless it asked for usage, also when the answer breaks off', async () => {
    for (const script of [hello, streams(event(chunk({ content: 'Hello' })))]) {
      upstream.script(script);
      let text = '';
      const stream = await openai.chat.completions.create({ model: 'writer', messages, stream: true });
      try {
        for await (const part of stream) text += part.choices[0]!.delta.content ?? '';
      } catch (error) {
        expect(error).toHaveProperty('code', 'upstream_failed');
      }
      expect(text).toBe('Hello');
    }
  });

  test('runs tools, streamed and not', async () => {
    upstream.script(toolStream);
    const runner = openai.chat.completions.stream({ model: 'writer', messages, tools: [weather] });
    const { choices } = await runner.finalChatCompletion();
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
      id: 'call_1',
      function: { name: 'weather', arguments: '{"city":"Köln"}' },
    });
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
    upstream.script((wire) =>
      wire.json(200, {
        ...plainAnswer,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, tool_calls: [call] },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    );
    const plain = await openai.chat.completions.create({ model: 'writer', messages, tools: [weather] });
    expect(plain.choices[0]?.message.tool_calls).toEqual([call]);
  });

  test('aborts, and the upstream with it', async () => {
    const arrived = Promise.withResolvers<Wire>();
    upstream.script(async (wire) => {
      await wire.head();
      await wire.send(event(chunk({ content: 'Hello' })));
      arrived.resolve(wire);
    });
    const stream = await openai.chat.completions.create({ model: 'writer', messages, stream: true });
    for await (const _ of stream) stream.controller.abort();
    await (await arrived.promise).closed;
  });

  test('understands our refusals', async () => {
    const unknown = openai.chat.completions.create({ model: 'nobody', messages });
    await expect(unknown).rejects.toMatchObject({
      status: 400,
      code: 'model_not_found',
      param: 'model',
      type: 'invalid_request_error',
    });
    upstream.script(streams(event(chunk({ content: 'Hel' }))));
    const stream = await openai.chat.completions.create({ model: 'writer', messages, stream: true });
    const reading = (async () => {
      for await (const _ of stream);
    })();
    await expect(reading).rejects.toThrow('The model stopped before its answer was complete');
  });

  test('lists the models', async () => {
    const ids = (await openai.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(['writer', 'writer-compressed', 'eyes', 'ears', 'judge', 'house/writer']);
  });

  test('retrieves a model, and says which is not there', async () => {
    expect(await openai.models.retrieve('writer-compressed')).toMatchObject({
      id: 'writer-compressed',
      object: 'model',
      pricing: { currency: 'EUR' },
    });
    expect(await openai.models.retrieve('house/writer')).toMatchObject({ id: 'house/writer' });
    await expect(openai.models.retrieve('house/nobody')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      type: 'invalid_request_error',
    });
  });
});

describe("the ai SDK's OpenAI-compatible provider", () => {
  const model = () =>
    createOpenAICompatible({
      name: 'errand',
      baseURL: `${service.baseUrl}/v1`,
      apiKey: service.key,
    }).chatModel('writer');

  test('generates', async () => {
    upstream.script(answersPlainly);
    const { text, usage } = await generateText({ model: model(), prompt: 'Say hello' });
    expect([text, usage.inputTokens, usage.outputTokens]).toEqual(['Hello', 20, 5]);
  });

  test('streams', async () => {
    upstream.script(hello);
    const result = streamText({ model: model(), prompt: 'Say hello' });
    expect(await result.text).toBe('Hello');
    expect(await result.usage).toMatchObject({ inputTokens: 20, outputTokens: 5 });
    expect(await result.finishReason).toBe('stop');
  });
});
