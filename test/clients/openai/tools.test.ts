import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { expect } from 'vitest';
import { z } from 'zod';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const messages = [{ role: 'user' as const, content: 'How warm is it in Köln?' }];
const asked = { model: 'writer', messages };
const report = z.object({ city: z.string(), celsius: z.number() });
const told = { city: 'Köln', celsius: 21 };
const reportSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, celsius: { type: 'number' } },
  required: ['city', 'celsius'],
  additionalProperties: false,
};

const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};

const chatOf = ({ url, key }: Errand) => connect(url, key).chat.completions;

/** A tool that notes the cities it is asked for. */
function thermometer() {
  const cities: string[] = [];
  const tool = zodFunction({
    name: 'weather',
    description: 'Reads the thermometer of a city.',
    parameters: z.object({ city: z.string() }),
    function: ({ city }) => {
      cities.push(city);
      return '21 degrees';
    },
  });
  return { cities, tool };
}

/** The tool message that the provider got with its second request. */
const toolMessage = ({ upstream }: Errand) => upstream.requests[1]?.body.messages;

client('openai', 'tools and structured output', ({ works }) => {
  works('`create` and `.stream()` with `tools`: calls come whole', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }));
    const call = { id: 'call_weather', function: { name: 'weather', arguments: '{"city":"Köln"}' } };
    const plain = await chatOf(errand).create({ ...asked, tools: [weather] });
    expect(plain.choices[0]?.message.tool_calls).toEqual([expect.objectContaining(call)]);
    const stream = chatOf(errand).stream({ ...asked, tools: [weather] });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject(call);
  });

  works('`runTools`, plain', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
    const { cities, tool } = thermometer();
    const runner = chatOf(errand).runTools({ ...asked, tools: [tool] });
    expect(await runner.finalContent()).toBe('It is 21 degrees.');
    expect(cities).toEqual(['Köln']);
    expect(toolMessage(errand)).toContainEqual(
      expect.objectContaining({ role: 'tool', tool_call_id: 'call_weather', content: '21 degrees' }),
    );
  });

  works('`runTools`, streamed', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
    const { cities, tool } = thermometer();
    const runner = chatOf(errand).runTools({ ...asked, stream: true, tools: [tool] });
    let text = '';
    runner.on('content', (delta) => {
      text += delta;
    });
    expect(await runner.finalContent()).toBe('It is 21 degrees.');
    expect([text, cities]).toEqual(['It is 21 degrees.', ['Köln']]);
    expect(toolMessage(errand)).toContainEqual(expect.objectContaining({ role: 'tool' }));
  });

  works('`parse` with `zodResponseFormat`', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const response_format = zodResponseFormat(report, 'report');
    const { choices } = await chatOf(errand).parse({ ...asked, response_format });
    expect(choices[0]?.message.parsed).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'report', strict: true, schema: reportSchema },
    });
  });

  works('`parse` with a JSON Schema', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const response_format = {
      type: 'json_schema' as const,
      json_schema: { name: 'report', strict: true, schema: reportSchema },
    };
    const { choices } = await chatOf(errand).parse({ ...asked, response_format });
    expect(choices[0]?.message.parsed).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toEqual(response_format);
  });

  works('`.stream()` with `zodResponseFormat`', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const stream = chatOf(errand).stream({ ...asked, response_format: zodResponseFormat(report, 'report') });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.message.parsed).toEqual(told);
  });
});
