import { createParser } from 'eventsource-parser';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { ChatService } from '../chat/support/chat-service.ts';
import { chunk, done, event, streams, usageChunk } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import { calls, says } from '../clients/support/speak.ts';
import { pngDataUrl } from '../support/forbidden-images.ts';
import type { ScriptedUpstream, UpstreamScript } from '../support/scripted-upstream.ts';
import { openEvent, openResponse } from './support/open-responses.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const ask = (body: object) => service.post(body, { path: '/v1/responses' });
const from = (role: string, content: unknown) => ({ type: 'message', role, content });
const location = { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] };
const weather = { type: 'function', name: 'weather', description: 'Tells it.', parameters: location };
const inKoeln = calls('weather', { location: 'Köln' });
const thinks: UpstreamScript = streams(
  event(chunk({ role: 'assistant', reasoning_content: 'Hm.' })),
  event(chunk({ content: 'Hello' })),
  event(chunk({ refusal: 'No.' })),
  event(chunk({}, 'length')),
  event(usageChunk),
  done,
);

interface Case {
  request: { model?: string; input: unknown[]; [field: string]: unknown };
  script: UpstreamScript;
  output: string[];
}

const question = [from('user', 'How is the weather in Köln?')];
const see = [
  { type: 'input_text', text: 'What is this?' },
  { type: 'input_image', image_url: pngDataUrl },
];
const talk = [from('user', 'I am Alice.'), from('assistant', 'Hello Alice!'), from('user', 'Who am I?')];

const cases: Readonly<Record<string, Case>> = {
  text: { request: { input: [from('user', 'Say hello.')] }, script: says('Hello'), output: ['message'] },
  'a system message': {
    request: { input: [from('system', 'Be a pirate.'), from('user', 'Say hello.')] },
    script: says('Ahoy'),
    output: ['message'],
  },
  'a tool without what may be left out': {
    request: { input: question, tools: [{ type: 'function', name: 'weather' }] },
    script: inKoeln,
    output: ['function_call'],
  },
  'a call of a tool': {
    request: { input: question, tools: [weather] },
    script: inKoeln,
    output: ['function_call'],
  },
  'an image': {
    request: { model: 'eyes', input: [from('user', see)] },
    script: says('A dot.'),
    output: ['message'],
  },
  'several turns': { request: { input: talk }, script: says('Alice'), output: ['message'] },
};

/** Every event of a stream, held against the specification. */
async function readEvents(body: object) {
  const events: Record<string, unknown>[] = [];
  const parser = createParser({
    onEvent({ event: name, data }) {
      const read = JSON.parse(data);
      expect(name).toBe(read.type);
      events.push(v.parse(openEvent(read.type), read) as Record<string, unknown>);
    },
  });
  parser.feed(await (await ask({ ...body, stream: true })).text());
  return events;
}

describe.each(Object.entries(cases))('Open Responses: %s', (_, { request, script, output }) => {
  const body = { model: 'writer', ...request };
  const expected = { status: 'completed', output: output.map((type) => ({ type })) };

  test('the answer in one piece has what is required', async () => {
    upstream.script(script);
    const answer = v.parse(openResponse, await (await ask(body)).json());
    expect(answer).toMatchObject(expected);
    expect(answer.completed_at).toBeGreaterThanOrEqual(answer.created_at);
  });

  test('every event has what is required, and the last one the answer', async () => {
    upstream.script(script);
    const events = await readEvents(body);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: expected });
  });
});

test('Open Responses: reasoning, a refusal and an answer that was cut are told as required', async () => {
  upstream.script(thinks);
  const events = await readEvents({ model: 'writer', input: 'Think' });
  expect(events.at(-1)).toMatchObject({
    type: 'response.incomplete',
    response: { completed_at: null, incomplete_details: { reason: 'max_output_tokens' } },
  });
});

test('Open Responses: the call of a tool is added, written in pieces and done', async () => {
  upstream.script(inKoeln);
  const events = await readEvents({ model: 'writer', input: question, tools: [weather] });
  const call = { type: 'function_call', call_id: 'call_weather', name: 'weather' };
  expect(events.slice(2, -1)).toMatchObject([
    { type: 'response.output_item.added', item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta' },
    { type: 'response.function_call_arguments.delta' },
    { type: 'response.function_call_arguments.done', arguments: '{"location":"Köln"}' },
    { type: 'response.output_item.done', item: { ...call, status: 'completed' } },
  ]);
});
