import { generateObject, generateText, Output, stepCountIs, streamObject, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { chunk, event, hello, streams } from '../../chat/support/chunks.ts';
import { png } from '../../support/forbidden-images.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand, id = 'writer') => connect(url, key)(id);
const prompt = 'How warm is it in Köln?';
const report = z.object({ city: z.string(), celsius: z.number() });
const told = { city: 'Köln', celsius: 21 };

const weather = tool({
  description: 'Reads the thermometer of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `21 degrees in ${city}`,
});
const inSteps = { prompt, tools: { weather }, stopWhen: stepCountIs(3) };

/** A provider that calls the tool, and answers with what it says. */
const script = ({ upstream }: Errand) =>
  upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));

/** The second request has the call and its output. */
const expectOutput = ({ upstream }: Errand) =>
  expect(upstream.requests[1]?.body.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ function: { name: 'weather' } }] },
    { role: 'tool', content: '21 degrees in Köln' },
  ]);

client('@ai-sdk/openai', 'responses, the default', ({ works }) => {
  works('`generateText`, with usage', async (errand) => {
    errand.upstream.script(says('Hello'));
    const { text, usage, finishReason } = await generateText({ model: model(errand), prompt });
    expect([text, usage.inputTokens, usage.outputTokens, finishReason]).toEqual(['Hello', 20, 5, 'stop']);
  });

  works('`streamText`, with usage and finish reason', async (errand) => {
    errand.upstream.script(hello);
    const result = streamText({ model: model(errand), prompt });
    expect(await collect(result.textStream)).toEqual(['Hel', 'lo']);
    expect(await result.usage).toMatchObject({ inputTokens: 20, outputTokens: 5 });
    expect(await result.finishReason).toBe('stop');
  });

  works('`generateText` with tools, in several steps', async (errand) => {
    script(errand);
    const { text, steps } = await generateText({ model: model(errand), ...inSteps });
    expect([text, steps.length]).toEqual(['It is 21 degrees.', 2]);
    expectOutput(errand);
  });

  works('`streamText` with tools, in several steps', async (errand) => {
    script(errand);
    const result = streamText({ model: model(errand), ...inSteps });
    expect(await result.text).toBe('It is 21 degrees.');
    expect(await result.steps).toHaveLength(2);
    expectOutput(errand);
  });

  works('tools in several steps with `store: false`', async (errand) => {
    script(errand);
    const providerOptions = { openai: { store: false } };
    const { text } = await generateText({ model: model(errand), ...inSteps, providerOptions });
    expect(text).toBe('It is 21 degrees.');
    expectOutput(errand);
  });

  works('a conversation whose earlier items are referred to', async (errand) => {
    errand.upstream.script(says('Hello Ada.'), says('Ada.'));
    const first = [{ role: 'user' as const, content: 'I am Ada.' }];
    const { response } = await generateText({ model: model(errand), messages: first });
    const messages = [...first, ...response.messages, { role: 'user' as const, content: 'Who am I?' }];
    expect((await generateText({ model: model(errand), messages })).text).toBe('Ada.');
    expect(errand.upstream.requests[1]?.body.messages).toMatchObject([
      { content: 'I am Ada.' },
      { role: 'assistant', content: 'Hello Ada.' },
      { content: 'Who am I?' },
    ]);
  });

  works('`generateObject` and `streamObject` with zod', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const asked = { model: model(errand), schema: report, prompt };
    expect((await generateObject(asked)).object).toEqual(told);
    const result = streamObject(asked);
    expect((await collect(result.partialObjectStream)).at(-1)).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
  });

  works('`Output.object` of `generateText` and `streamText`', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const asked = { model: model(errand), prompt, output: Output.object({ schema: report }) };
    expect((await generateText(asked)).output).toEqual(told);
    expect(await streamText(asked).output).toEqual(told);
  });

  works('an image part reaches a model that sees', async (errand) => {
    errand.upstream.script(says('A dot.'));
    const content = [{ type: 'image' as const, image: png, mediaType: 'image/png' }];
    const messages = [{ role: 'user' as const, content }];
    expect((await generateText({ model: model(errand, 'eyes'), messages })).text).toBe('A dot.');
    expect(errand.upstream.requests[0]?.text).toContain(png.toString('base64'));
  });

  works('400: `APICallError` with the service’s words, not retried', async (errand) => {
    const refused = generateText({ model: model(errand, 'nobody'), prompt });
    await expect(refused).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 400,
      message: expect.stringContaining('There is no model "nobody".'),
      isRetryable: false,
    });
  });

  works('an answer that breaks off: the finish reason is `error`', async (errand) => {
    errand.upstream.script(streams(event(chunk({ content: 'Hel' }))));
    const result = streamText({ model: model(errand), prompt, onError: () => {} });
    expect(await collect(result.textStream)).toEqual(['Hel']);
    expect(await result.finishReason).toBe('error');
  });
});
