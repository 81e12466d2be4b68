import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { hello } from '../../chat/support/chunks.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand) => connect(url, key).chatModel('writer');
const prompt = 'Say hello';

client('@ai-sdk/openai-compatible', 'chat', ({ works }) => {
  works('`generateText`, with usage', async (errand) => {
    errand.upstream.script(says('Hello'));
    const { text, usage } = await generateText({ model: model(errand), prompt });
    expect([text, usage.inputTokens, usage.outputTokens]).toEqual(['Hello', 20, 5]);
  });

  works('`streamText`, with usage and finish reason', async (errand) => {
    errand.upstream.script(hello);
    const result = streamText({ model: model(errand), prompt });
    expect(await result.text).toBe('Hello');
    expect(await result.usage).toMatchObject({ inputTokens: 20, outputTokens: 5 });
    expect(await result.finishReason).toBe('stop');
  });

  works('`generateText` with `Output.object`: the schema reaches the model', async (errand) => {
    errand.upstream.script(says('{"city":"Köln"}'));
    const schema = z.object({ city: z.string() });
    const { output } = await generateText({
      model: model(errand),
      prompt,
      output: Output.object({ schema }),
    });
    expect(output).toEqual({ city: 'Köln' });
    expect(errand.upstream.requests.at(-1)?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: { required: ['city'] } } },
    });
  });

  works('`streamText` with tools, in several steps', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
    const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: () => '21 degrees' });
    const result = streamText({ model: model(errand), prompt, tools: { weather }, stopWhen: stepCountIs(3) });
    expect(await result.text).toBe('It is 21 degrees.');
    expect(await result.steps).toHaveLength(2);
  });
});
