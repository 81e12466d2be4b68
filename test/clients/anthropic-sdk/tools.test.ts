import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { expect } from 'vitest';
import { z } from 'zod';
import { chunk, done, event, streams, usageChunk } from '../../chat/support/chunks.ts';
import { png } from '../../support/forbidden-images.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const messages = [{ role: 'user' as const, content: 'How warm is it in Köln?' }];
const asked = { model: 'writer', max_tokens: 100, messages };
const report = z.object({ city: z.string(), celsius: z.number() });
const told = { city: 'Köln', celsius: 21 };

const input_schema = { type: 'object' as const, properties: { city: { type: 'string' } } };
const weather = { name: 'weather', description: 'Reads the thermometer of a city.', input_schema };
const call = { type: 'tool_use', id: 'call_weather', name: 'weather', input: { city: 'Köln' } };

const anthropic = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 });

/** A tool that notes the cities it is asked for. */
function thermometer() {
  const cities: string[] = [];
  const tool = betaZodTool({
    name: 'weather',
    description: 'Reads the thermometer of a city.',
    inputSchema: z.object({ city: z.string() }),
    run: ({ city }) => {
      cities.push(city);
      return '21 degrees';
    },
  });
  return { cities, tool };
}

/** A call of `weather`, its arguments in two pieces. */
const piecesOf = (index: number, city: string): object[] => {
  const [id, written] = [`call_${city}`, JSON.stringify({ city })];
  const opened = {
    index,
    id,
    type: 'function',
    function: { name: 'weather', arguments: written.slice(0, 5) },
  };
  return [{ tool_calls: [opened] }, { tool_calls: [{ index, function: { arguments: written.slice(5) } }] }];
};

/** The messages of the provider's second request. */
const second = ({ upstream }: Errand) => upstream.requests[1]?.body.messages;

/** What a model reads after its call. The tool runner's first request asks for a thread, which is not kept here. */
const wholeConversation = [
  ...messages,
  expect.objectContaining({ role: 'assistant', tool_calls: [expect.objectContaining({ id: call.id })] }),
  { role: 'tool', tool_call_id: call.id, content: '21 degrees' },
];

client('@anthropic-ai/sdk', 'tools and structured output', ({ works, fails }) => {
  works('`create` and `.stream()` with `tools`: calls come whole', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }));
    const plain = await anthropic(errand).messages.create({ ...asked, tools: [weather] });
    expect([plain.stop_reason, plain.content]).toEqual(['tool_use', [call]]);
    const streamed = anthropic(errand).messages.stream({ ...asked, tools: [weather] });
    expect((await streamed.finalMessage()).content).toEqual([call]);
  });

  works('calls that the provider writes in turns, as blocks one after the other', async (errand) => {
    const [one, other] = [piecesOf(0, 'Köln'), piecesOf(1, 'Bonn')];
    const deltas = [one[0], other[0], one[1], other[1]].map((delta) => chunk(delta!));
    const chunks = [...deltas, chunk({}, 'tool_calls'), usageChunk];
    errand.upstream.script(streams(...chunks.map(event), done));
    const streamed = anthropic(errand).messages.stream({ ...asked, tools: [weather] });
    const { content } = await streamed.finalMessage();
    expect(content).toMatchObject([
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), input: { city: 'Köln' } },
      { type: 'tool_use', id: 'call_Bonn', input: { city: 'Bonn' } },
    ]);
  });

  works('a `tool_result` with an error, text and an image', async (errand) => {
    errand.upstream.script(says('I see.'));
    const source = {
      type: 'base64' as const,
      media_type: 'image/png' as const,
      data: png.toString('base64'),
    };
    const content = [
      { type: 'text' as const, text: 'no city' },
      { type: 'image' as const, source },
    ];
    await anthropic(errand).messages.create({
      ...asked,
      model: 'eyes',
      messages: [
        ...messages,
        { role: 'assistant', content: [{ ...call, type: 'tool_use' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, is_error: true, content }] },
      ],
    });
    expect(errand.upstream.requests[0]?.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: call.id, function: { name: 'weather' } }] },
      { role: 'tool', tool_call_id: call.id, content: 'Error: no city' },
      { role: 'user', content: expect.any(Array) },
    ]);
    expect(errand.upstream.requests[0]?.text).toContain(png.toString('base64'));
  });

  works('`beta.messages.toolRunner` with `betaZodTool`, plain', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
    const { cities, tool } = thermometer();
    const final = await anthropic(errand).beta.messages.toolRunner({ ...asked, tools: [tool] });
    expect([final.content, cities]).toMatchObject([[{ text: 'It is 21 degrees.' }], ['Köln']]);
    expect(second(errand)).toEqual(wholeConversation);
  });

  works('`beta.messages.toolRunner` with `betaZodTool`, streamed', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
    const { cities, tool } = thermometer();
    const runner = anthropic(errand).beta.messages.toolRunner({ ...asked, stream: true, tools: [tool] });
    const streams = await collect(runner);
    expect(await streams.at(-1)?.finalMessage()).toMatchObject({ content: [{ text: 'It is 21 degrees.' }] });
    expect(cities).toEqual(['Köln']);
    expect(second(errand)).toEqual(wholeConversation);
  });

  works('`messages.parse` and `.stream()` with `zodOutputFormat`', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const output_config = { format: zodOutputFormat(report) };
    const parsed = await anthropic(errand).messages.parse({ ...asked, output_config });
    expect(parsed.parsed_output).toEqual(told);
    const streamed = anthropic(errand).messages.stream({ ...asked, output_config });
    expect((await streamed.finalMessage()).parsed_output).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
  });

  const noTools = {
    because: 'the service has no tools of its own for chat models',
    error: { status: 400, message: expect.stringContaining('web_search_20260209') },
  };
  fails('the tool `web_search`', noTools, async (errand) => {
    await anthropic(errand).messages.create({
      ...asked,
      tools: [{ type: 'web_search_20260209', name: 'web_search' }],
    });
  });
});
