import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { z } from 'zod';
import { chunk, event, hello } from '../../chat/support/chunks.ts';
import { pngDataUrl } from '../../support/forbidden-images.ts';
import type { Wire } from '../../support/scripted-upstream.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

// LangSmith is sent traces where the environment asks for them.
beforeAll(() => {
  for (const name of [
    'LANGSMITH_TRACING',
    'LANGCHAIN_TRACING',
    'LANGSMITH_TRACING_V2',
    'LANGCHAIN_TRACING_V2',
  ])
    vi.stubEnv(name, 'false');
});
afterAll(() => void vi.unstubAllEnvs());

const model = ({ url, key }: Errand, id = 'writer') => connect(url, key, id);
const report = z.object({ city: z.string(), celsius: z.number() });
const told = { city: 'Köln', celsius: 21 };
const weather = tool(({ city }) => `21 degrees in ${city}`, {
  name: 'weather',
  description: 'Reads the thermometer of a city.',
  schema: z.object({ city: z.string() }),
});

client('@langchain/openai', 'chat', ({ works }) => {
  works('`invoke`, with `usage_metadata`', async (errand) => {
    errand.upstream.script(says('Hello'));
    const message = await model(errand).invoke('Say hello');
    expect(message.text).toBe('Hello');
    expect(message.usage_metadata).toMatchObject({
      input_tokens: 20,
      output_tokens: 5,
      total_tokens: 25,
      input_token_details: { cache_read: 8 },
    });
  });

  works('`stream`, with `usage_metadata` once', async (errand) => {
    errand.upstream.script(hello);
    const pieces = await collect(await model(errand).stream('Say hello'));
    expect(pieces.map(({ text }) => text).join('')).toBe('Hello');
    const usages = pieces.flatMap(({ usage_metadata: usage }) => (usage ? [usage] : []));
    expect(usages).toEqual([expect.objectContaining({ input_tokens: 20, output_tokens: 5 })]);
  });

  works('`batch`', async (errand) => {
    errand.upstream.script(says('Hello'));
    const messages = await model(errand).batch(['Say hello', 'Say it again']);
    expect(messages.map(({ text }) => text)).toEqual(['Hello', 'Hello']);
  });

  works('an image part reaches a model that sees', async (errand) => {
    errand.upstream.script(says('A dot.'));
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: pngDataUrl } },
    ];
    const { text } = await model(errand, 'eyes').invoke([new HumanMessage({ content })]);
    expect(text).toBe('A dot.');
    expect(errand.upstream.requests[0]?.text).toContain(pngDataUrl);
  });

  works('`bindTools`, plain and streamed, and the answer to the tool’s message', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }));
    const bound = model(errand).bindTools([weather]);
    const asked = new HumanMessage('How warm is it in Köln?');
    const call = { id: 'call_weather', name: 'weather', args: { city: 'Köln' } };
    const message = await bound.invoke([asked]);
    expect(message.tool_calls).toEqual([expect.objectContaining(call)]);
    const [first, ...others] = await collect(await bound.stream([asked]));
    const whole = others.reduce((all, piece) => all!.concat(piece), first);
    expect(whole?.tool_calls).toEqual([expect.objectContaining(call)]);
    errand.upstream.script(says('It is 21 degrees.'));
    const result = await weather.invoke(message.tool_calls![0]!);
    expect((await bound.invoke([asked, message, result])).text).toBe('It is 21 degrees.');
    expect(errand.upstream.requests[0]?.text).toContain('21 degrees in Köln');
  });

  works('`withStructuredOutput`, by JSON Schema and by a tool', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const bySchema = model(errand).withStructuredOutput(report, { name: 'report', method: 'jsonSchema' });
    expect(await bySchema.invoke('How warm is it?')).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
    errand.upstream.script(calls('report', told));
    const byTool = model(errand).withStructuredOutput(report, { name: 'report', method: 'functionCalling' });
    expect(await byTool.invoke('How warm is it?')).toEqual(told);
  });

  works('an `AbortSignal` ends the provider’s work', async (errand) => {
    const arrived = Promise.withResolvers<Wire>();
    errand.upstream.script(async (wire) => {
      await wire.head();
      await wire.send(event(chunk({ content: 'Hello' })));
      arrived.resolve(wire);
    });
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of await model(errand).stream('Say hello', { signal: controller.signal }))
        controller.abort();
    })();
    await expect(reading).rejects.toThrow();
    await (await arrived.promise).closed;
  });

  works('400: an error with status and code, not retried', async (errand) => {
    errand.upstream.script((wire) => wire.json(400, { error: { message: 'No.', code: 'no_such_thing' } }));
    const refused = model(errand).invoke('Say hello');
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'no_such_thing' });
    expect(errand.upstream.requests).toHaveLength(1);
  });

  works('401: an error with status', async ({ url }) => {
    await expect(connect(url, 'wrong', 'writer').invoke('Say hello')).rejects.toMatchObject({ status: 401 });
  });

  works('the Responses API: `useResponsesApi: true`', async ({ url, key, upstream }) => {
    upstream.script(says('Hello'));
    const configuration = { baseURL: `${url}/v1` };
    const asked = { model: 'writer', apiKey: key, configuration, useResponsesApi: true };
    expect((await new ChatOpenAI(asked).invoke('Say hello')).text).toBe('Hello');
  });
});
