import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { chunk, done, event, hello, streams, usageChunk } from '../../chat/support/chunks.ts';
import { png } from '../../support/forbidden-images.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, isDown, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand, id = 'writer') => connect(url, key)(id);
const prompt = 'How warm is it in Köln?';
// The client knows how much models of Anthropic write, and asks any other for 4,096 tokens, with a warning.
const maxOutputTokens = 100;
const report = z.object({ city: z.string(), celsius: z.number() });
const told = { city: 'Köln', celsius: 21 };

const weather = tool({
  description: 'Reads the thermometer of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `21 degrees in ${city}`,
});
const inSteps = { prompt, maxOutputTokens, tools: { weather }, stopWhen: stepCountIs(3) };

/** A provider that thinks and calls the tool, and answers with what it says. */
function script({ upstream }: Errand) {
  const called = {
    id: 'call_a',
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Köln"}' },
  };
  const deltas = [{ reasoning_content: 'Hm.' }, { tool_calls: [{ index: 0, ...called }] }];
  const chunks = [...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls'), usageChunk];
  upstream.script(streams(...chunks.map(event), done), says('It is 21 degrees.'));
}

/** The second request has what was thought, the call and its output. */
const expectOutput = ({ upstream }: Errand, thought: object = {}) =>
  expect(upstream.requests[1]?.body.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ function: { name: 'weather' } }], ...thought },
    { role: 'tool', content: '21 degrees in Köln' },
  ]);

client('@ai-sdk/anthropic', 'messages', ({ works }) => {
  works('`generateText`, with usage', async (errand) => {
    errand.upstream.script(says('Hello'));
    const { text, usage, finishReason } = await generateText({
      model: model(errand),
      maxOutputTokens,
      prompt,
    });
    expect([text, usage.inputTokens, usage.outputTokens, finishReason]).toEqual(['Hello', 20, 5, 'stop']);
  });

  works('`streamText`, with usage and finish reason', async (errand) => {
    errand.upstream.script(hello);
    const result = streamText({ model: model(errand), maxOutputTokens, prompt });
    expect(await collect(result.textStream)).toEqual(['Hel', 'lo']);
    expect(await result.usage).toMatchObject({ inputTokens: 20, outputTokens: 5, cachedInputTokens: 8 });
    expect(await result.finishReason).toBe('stop');
  });

  works('`generateText` with tools, in several steps', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
    const { text, steps } = await generateText({ model: model(errand), ...inSteps });
    expect([text, steps.length]).toEqual(['It is 21 degrees.', 2]);
    expectOutput(errand);
  });

  works('`streamText` with tools, in several steps: thinking goes back to its model', async (errand) => {
    script(errand);
    const result = streamText({ model: model(errand), ...inSteps });
    expect(await result.text).toBe('It is 21 degrees.');
    expect((await result.steps)[0]?.reasoningText).toBe('Hm.');
    expectOutput(errand, { reasoning_content: 'Hm.' });
  });

  works('`Output.object` of `generateText` and `streamText`', async (errand) => {
    const asked = {
      model: model(errand),
      maxOutputTokens,
      prompt,
      output: Output.object({ schema: report }),
    };
    errand.upstream.script(says(JSON.stringify(told)));
    expect((await generateText(asked)).output).toEqual(told);
    expect(await streamText(asked).output).toEqual(told);
  });

  works('an image part reaches a model that sees', async (errand) => {
    errand.upstream.script(says('A dot.'));
    const content = [{ type: 'image' as const, image: png, mediaType: 'image/png' }];
    const messages = [{ role: 'user' as const, content }];
    expect((await generateText({ model: model(errand, 'eyes'), maxOutputTokens, messages })).text).toBe(
      'A dot.',
    );
    expect(errand.upstream.requests[0]?.text).toContain(png.toString('base64'));
  });

  works('400: `APICallError` with the service’s words, not retried', async (errand) => {
    const refused = generateText({ model: model(errand, 'nobody'), maxOutputTokens, prompt });
    await expect(refused).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 400,
      message: expect.stringContaining('There is no model "nobody".'),
      isRetryable: false,
    });
  });

  works('402: `APICallError` with the service’s words', async ({ url, service }) => {
    const { key } = await service.newAccount('0');
    const refused = generateText({
      model: connect(url, key)('writer'),
      maxOutputTokens,
      prompt,
      maxRetries: 0,
    });
    await expect(refused).rejects.toMatchObject({ statusCode: 402, message: 'No remaining credits (EUR)' });
  });

  works('503: `APICallError` that may be retried', async (errand) => {
    errand.upstream.script(isDown);
    const refused = generateText({ model: model(errand), maxOutputTokens, prompt, maxRetries: 0 });
    await expect(refused).rejects.toMatchObject({ statusCode: 503, isRetryable: true });
  });

  works('an answer that breaks off: the stream’s error says so', async (errand) => {
    errand.upstream.script(streams(event(chunk({ content: 'Hel' }))));
    const errors: unknown[] = [];
    const result = streamText({
      model: model(errand),
      maxOutputTokens,
      prompt,
      onError: ({ error }) => void errors.push(error),
    });
    expect(await collect(result.textStream)).toEqual(['Hel']);
    expect(JSON.stringify(errors)).toContain('The model stopped before its answer was complete');
  });
});
