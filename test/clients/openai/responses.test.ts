import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { expect } from 'vitest';
import { z } from 'zod';
import { chunk, event, hello, streams } from '../../chat/support/chunks.ts';
import { pngDataUrl } from '../../support/forbidden-images.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const asked = { model: 'writer', input: 'How warm is it in Köln?' };
const report = z.object({ city: z.string(), celsius: z.number() });
const told = { city: 'Köln', celsius: 21 };
const weather = zodResponsesFunction({ name: 'weather', parameters: z.object({ city: z.string() }) });
const call = {
  type: 'function_call',
  name: 'weather',
  call_id: 'call_weather',
  arguments: '{"city":"Köln"}',
};
const usage = { input_tokens: 20, output_tokens: 5, total_tokens: 25 };

const responsesOf = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 }).responses;
const textOf = ({ upstream }: Errand, number: number) => upstream.requests[number]?.text;

client('openai', 'responses', ({ works, fails }) => {
  works('`responses.create`, with usage and impact', async (errand) => {
    errand.upstream.script(says('Hello'));
    const response = await responsesOf(errand).create(asked);
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello', model: 'writer', usage });
    expect(response).toHaveProperty('impact.energy.unit', 'Wms');
  });

  works('`responses.create` with `stream: true`', async (errand) => {
    errand.upstream.script(hello);
    const events = await collect(await responsesOf(errand).create({ ...asked, stream: true }));
    const deltas = events.flatMap((each) => (each.type === 'response.output_text.delta' ? [each.delta] : []));
    expect(deltas).toEqual(['Hel', 'lo']);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { usage } });
  });

  works('the `responses.stream()` helper: events and final response', async (errand) => {
    errand.upstream.script(hello);
    const stream = responsesOf(errand).stream(asked);
    const snapshots: string[] = [];
    stream.on('response.output_text.delta', ({ snapshot }) => void snapshots.push(snapshot));
    expect(await stream.finalResponse()).toMatchObject({ output_text: 'Hello', usage });
    expect(snapshots).toEqual(['Hel', 'Hello']);
  });

  works('`responses.parse` with `zodTextFormat`', async (errand) => {
    errand.upstream.script(says(JSON.stringify(told)));
    const text = { format: zodTextFormat(report, 'report') };
    expect((await responsesOf(errand).parse({ ...asked, text })).output_parsed).toEqual(told);
    expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'report', strict: true },
    });
  });

  works('tools of `zodResponsesFunction`, whose outputs go back', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
    const { output } = await responsesOf(errand).parse({ ...asked, tools: [weather] });
    expect(output).toMatchObject([{ ...call, parsed_arguments: { city: 'Köln' } }]);
    const answer = { type: 'function_call_output', call_id: 'call_weather', output: '21 degrees' } as const;
    const input = [{ role: 'user', content: asked.input }, ...output, answer] as ResponseInputItem[];
    const second = await responsesOf(errand).create({ ...asked, input, tools: [weather] });
    expect(second.output_text).toBe('It is 21 degrees.');
    expect(textOf(errand, 1)).toContain('21 degrees');
  });

  works('`responses.stream()` with tools: calls come whole', async (errand) => {
    errand.upstream.script(calls('weather', { city: 'Köln' }));
    const stream = responsesOf(errand).stream({ ...asked, tools: [weather] });
    expect((await stream.finalResponse()).output).toMatchObject([call]);
  });

  works('`previous_response_id`, `responses.retrieve` and `responses.delete`', async (errand) => {
    errand.upstream.script(says('Hello'), says('You are Ada.'));
    const { id } = await responsesOf(errand).create({ model: 'writer', input: 'I am Ada.' });
    expect((await responsesOf(errand).retrieve(id)).output_text).toBe('Hello');
    await responsesOf(errand).create({ model: 'writer', input: 'Who am I?', previous_response_id: id });
    expect(textOf(errand, 1)).toContain('I am Ada.');
    await responsesOf(errand).delete(id);
    await expect(responsesOf(errand).retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  works('an image part reaches a model that sees', async (errand) => {
    errand.upstream.script(says('A dot.'));
    const content = [{ type: 'input_image', image_url: pngDataUrl, detail: 'auto' } as const];
    const response = await responsesOf(errand).create({ model: 'eyes', input: [{ role: 'user', content }] });
    expect(response.output_text).toBe('A dot.');
    expect(textOf(errand, 0)).toContain(pngDataUrl);
  });

  works('400: `BadRequestError` with code and param', async (errand) => {
    const refused = responsesOf(errand).create({ ...asked, conversation: 'conv_1' });
    await expect(refused).rejects.toMatchObject({
      ...{ status: 400, code: 'invalid_request', param: 'conversation' },
    });
  });

  works('an answer that breaks off: `response.failed` with its reason', async (errand) => {
    errand.upstream.script(streams(event(chunk({ content: 'Hel' }))));
    const events = await collect(await responsesOf(errand).create({ ...asked, stream: true }));
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { message: expect.any(String) }, output: [{ type: 'message' }] },
    });
  });

  const noTool = { because: 'the service has no tools of its own for chat models', error: { status: 400 } };
  fails('the tool `web_search`', noTool, async (errand) => {
    await responsesOf(errand).create({ ...asked, tools: [{ type: 'web_search' }] });
  });
});
