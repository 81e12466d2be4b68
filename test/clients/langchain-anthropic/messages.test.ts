import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { z } from 'zod';
import { hello } from '../../chat/support/chunks.ts';
import { pngDataUrl } from '../../support/forbidden-images.ts';
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

client('@langchain/anthropic', 'messages', ({ works, fails }) => {
  works('`invoke`, with `usage_metadata`', async (errand) => {
    errand.upstream.script(says('Hello'));
    const message = await model(errand).invoke('Say hello');
    expect(message.text).toBe('Hello');
    expect(message.usage_metadata).toMatchObject({ input_tokens: 20, output_tokens: 5 });
  });

  works('`stream`', async (errand) => {
    errand.upstream.script(hello);
    const pieces = await collect(await model(errand).stream('Say hello'));
    expect(pieces.map(({ text }) => text).join('')).toBe('Hello');
  });

  const zero = {
    because: 'it reads `input_tokens` of `message_start`, where they are not known yet',
    error: { message: expect.stringContaining('20') },
  };
  fails('`stream`, with `input_tokens` of `usage_metadata`', zero, async (errand) => {
    errand.upstream.script(hello);
    const [first, ...others] = await collect(await model(errand).stream('Say hello'));
    const whole = others.reduce((all, piece) => all!.concat(piece), first);
    expect(whole?.usage_metadata?.input_tokens).toBe(20);
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

  works('400: an error with status, not retried', async (errand) => {
    errand.upstream.script((wire) => wire.json(400, { error: { message: 'No.', code: 'no_such_thing' } }));
    await expect(model(errand).invoke('Say hello')).rejects.toMatchObject({ status: 400 });
    expect(errand.upstream.requests).toHaveLength(1);
  });

  works('401: an error with status', async ({ url }) => {
    await expect(connect(url, 'wrong', 'writer').invoke('Say hello')).rejects.toMatchObject({ status: 401 });
  });
});
