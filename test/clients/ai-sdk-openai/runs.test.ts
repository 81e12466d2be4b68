import { generateText, stepCountIs, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand) => connect(url, key)('agent:default');
const weather = tool({
  description: 'Reads the thermometer of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `21 degrees in ${city}`,
});
const inSteps = { prompt: 'How warm is it in Köln?', tools: { weather }, stopWhen: stepCountIs(3) };

const script = ({ upstream }: Errand) =>
  upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));

client('@ai-sdk/openai', 'responses that are runs', ({ works }) => {
  works('`generateText` with tools, in several steps', async (errand) => {
    script(errand);
    const { text, steps } = await generateText({ model: model(errand), ...inSteps });
    expect([text, steps.length]).toEqual(['It is 21 degrees.', 2]);
    expect(errand.upstream.requests[1]?.text).toContain('21 degrees in Köln');
  });

  works('`streamText` with tools, in several steps', async (errand) => {
    script(errand);
    const result = streamText({ model: model(errand), ...inSteps });
    expect(await result.text).toBe('It is 21 degrees.');
    expect(await result.steps).toHaveLength(2);
  });
});
