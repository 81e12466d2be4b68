import { generateObject, generateText, Output, stepCountIs, streamObject, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand) => connect(url, key).chat('writer');
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

const secondRequest = ({ upstream }: Errand) => upstream.requests[1]?.text;

client('@ai-sdk/openai', 'tools and structured output', ({ works }) => {
  works('`generateText` with tools, in several steps', async (errand) => {
    script(errand);
    const { text, steps } = await generateText({ model: model(errand), ...inSteps });
    expect(text).toBe('It is 21 degrees.');
    expect(steps).toHaveLength(2);
    expect(secondRequest(errand)).toContain('21 degrees in Köln');
  });

  works('`streamText` with tools, in several steps', async (errand) => {
    script(errand);
    const result = streamText({ model: model(errand), ...inSteps });
    expect(await result.text).toBe('It is 21 degrees.');
    expect((await result.steps)[0]?.toolCalls[0]).toMatchObject({
      toolName: 'weather',
      input: { city: 'Köln' },
    });
    expect(secondRequest(errand)).toContain('21 degrees in Köln');
  });

  works('`generateObject` with zod', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const { object } = await generateObject({ model: model(errand), schema: report, prompt });
    expect(object).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
  });

  works('`streamObject` with zod', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const result = streamObject({ model: model(errand), schema: report, prompt });
    expect((await collect(result.partialObjectStream)).at(-1)).toEqual(told);
    expect(await result.object).toEqual(told);
  });

  works('`Output.object` of `generateText` and `streamText`', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const asked = { model: model(errand), prompt, output: Output.object({ schema: report }) };
    expect((await generateText(asked)).output).toEqual(told);
    expect(await streamText(asked).output).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
  });
});
