import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import {
  forbiddenImages,
  type InnerHost,
  png,
  pngDataUrl,
  startInnerHost,
} from '../support/forbidden-images.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { parseEvents, simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let inner: InnerHost;
let cloud: Cloud;
let agents: CloudFunction;
let runStreams: CloudFunction;
let worker: CloudFunction;
let chat: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  inner = await startInnerHost();
  const inlining = {
    id: 'inlining',
    kind: 'vision',
    upstream: { baseUrl: provider.baseUrl, model: 'upstream-eyes' },
    price: { inputPerMillionTokens: 3, outputPerMillionTokens: 4 },
    imageUrls: 'inline',
  };
  cloud = await startCloud(simpleCatalogue(provider.baseUrl, { models: [inlining] }));
  agents = await cloud.start('agents');
  runStreams = await cloud.start('run-streams');
  worker = await cloud.start('worker');
  chat = await cloud.start('chat');
});

afterAll(async () => {
  for (const each of [agents, runStreams, worker, chat]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
  inner?.close();
});

/** Creates a run with this body, works on it, and resolves with its events. */
async function run(body: string | Buffer, contentType = 'application/json') {
  const created = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': contentType },
    body,
  });
  const answer = await created.text();
  expect([created.statusCode, answer]).toEqual([202, expect.stringContaining('queued')]);
  const { chunks, failure } = worker.invoke(
    { Records: [await cloud.receive()] },
    { milliseconds: functionShapes.worker.timeoutSeconds * 1000 },
  );
  for await (const _ of chunks);
  expect(await failure).toBeUndefined();
  const stream = await runStreams.request(`/v1/agents/runs/${JSON.parse(answer).agentId}/stream`);
  return parseEvents(await stream.text());
}

const seen = () => provider.requests.filter(({ model }) => model === 'upstream-eyes');

test('on Lambda too, no address inside of the network and no file is fetched or given to a provider', async () => {
  const addresses = forbiddenImages(inner.port);
  const perTurn = 6;
  for (let first = 0; first < addresses.length; first += perTurn) {
    const calls = addresses
      .slice(first, first + perTurn)
      .map((imageUrl) => ({ name: 'vision', args: { imageUrl, question: 'What is on it?' } }));
    provider.script(({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? { text: 'Nothing.' } : { calls },
    );
    const events = await run(JSON.stringify({ question: 'Look at them' }));
    const results = events.flatMap(({ type, result }) => (type === 'tool_result' ? [result] : []));
    expect(results).toEqual(
      calls.map(() => expect.stringMatching(/^Error: Failed to fetch image from URL: /)),
    );
    expect(seen()).toEqual([]);
  }
  expect(inner.asked).toEqual([]);
});

test('on Lambda too, an uploaded image goes to the model as bytes, when it is sent and when it is looked at again', async () => {
  provider.script(({ model, messages }) => {
    if (model === 'upstream-eyes') return { text: 'A harbour.' };
    if (messages.some(({ role }) => role === 'tool')) return { text: 'Seen twice.' };
    return { calls: [{ name: 'vision', args: { imageUrl: 'image.png', question: 'And now?' } }] };
  });
  const form = new FormData();
  form.set('question', 'What is it?');
  form.set('file', new Blob([png]), 'image.png');
  const encoded = new Response(form);
  const contentType = encoded.headers.get('Content-Type') ?? '';
  const events = await run(Buffer.from(await encoded.arrayBuffer()), contentType);
  const results = events.flatMap(({ type, result }) => (type === 'tool_result' ? [result] : []));
  expect(results).toEqual(['A harbour.', 'A harbour.']);
  const shown = { type: 'image_url', image_url: { url: pngDataUrl } };
  expect(seen().map(({ messages }) => messages[0]?.content)).toEqual([
    [{ type: 'text', text: 'What is it?' }, shown],
    [{ type: 'text', text: 'And now?' }, shown],
  ]);
});

test('on Lambda too, a chat completion has nothing fetched from inside of the network', async () => {
  provider.script(() => ({ text: 'A harbour.' }));
  const ask = async (url: string) => {
    const content = [{ type: 'image_url', image_url: { url } }];
    const { statusCode, text } = await chat.request('/v1/chat/completions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'inlining', messages: [{ role: 'user', content }] }),
    });
    return { statusCode, answer: JSON.parse(await text()) };
  };
  for (const url of forbiddenImages(inner.port).filter((url) => url !== pngDataUrl))
    expect([url, await ask(url)]).toMatchObject([
      url,
      { statusCode: 400, answer: { error: { param: 'messages[0].content[0].image_url' } } },
    ]);
  expect([seen(), inner.asked]).toEqual([[], []]);
  expect((await ask(pngDataUrl)).statusCode).toBe(200);
  expect(seen()).toHaveLength(1);
});
