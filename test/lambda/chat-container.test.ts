import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Cloud, startCloud } from '../support/lambda/cloud.ts';
import { type Container, startContainer, untilHealthy } from '../support/lambda/container.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import { simpleCatalogue } from '../support/service.ts';

let upstream: ScriptedUpstream;
let cloud: Cloud;
let container: Container;

beforeAll(async () => {
  upstream = await startUpstream();
  cloud = await startCloud(simpleCatalogue(upstream.baseUrl));
});
afterAll(async () => {
  await cloud?.stop();
  await upstream?.close();
});

beforeEach(async () => {
  container = await startContainer(cloud, 'chat-container', 'chat');
  await untilHealthy(container);
});
afterEach(() => container.kill());

const chunk = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'upstream-writer', choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`;
const usage = { usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } };

/** A stream whose second half comes when it is told to. */
function halves() {
  const second = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<void>();
  upstream.script(async (wire) => {
    void wire.closed.then(cut.resolve);
    await wire.head(200);
    await wire.send(chunk({ delta: { role: 'assistant', content: 'First' } }));
    await second.promise;
    await wire.send(chunk({ delta: { content: ' second' } }));
    await wire.send(chunk({ delta: {}, finish_reason: 'stop' }, usage), 'data: [DONE]\n\n');
    wire.end();
  });
  return { goOn: second.resolve, cut: cut.promise };
}

async function openStream(signal?: AbortSignal) {
  const answer = await container.ask('/v1/chat/completions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'writer', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    signal,
  });
  expect(answer.status).toBe(200);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (part: string) => {
    while (!text.includes(part)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`ended without ${part}: ${text}`);
      text += value;
    }
    return text;
  };
  return { until };
}

test('a chunk reaches the caller before the next one is there, and the charge is a metric of the stage', async () => {
  const { goOn } = halves();
  const { until } = await openStream();
  expect(await until('First')).not.toContain('second');
  goOn();
  expect(await until('[DONE]')).toContain(' second');
  await eventually(() => container.logged('charged').length).toBe(1);
  expect(container.logged('charged')[0]).toHaveProperty('_aws');
  expect(container.logged('request')).toMatchObject([{ area: 'chat', status: 200, failed: 0 }]);
});

test('it serves all paths of the function for chat, to the edge alone', async () => {
  for (const path of ['/v1/models', '/v1/pricing'])
    expect([path, (await container.ask(path)).status]).toEqual([path, 200]);
  for (const path of ['/v1/embeddings', '/v1/messages'])
    expect([path, (await container.ask(path, { method: 'POST', body: '{' })).status]).toEqual([path, 400]);
  for (const secret of ['', 'guessed'])
    expect((await container.ask('/v1/models', { headers: { 'X-Origin-Secret': secret } })).status).toBe(403);
});

test('a caller who leaves ends the call of the model, and pays for what came', async () => {
  const { cut } = halves();
  const leaving = new AbortController();
  const { until } = await openStream(leaving.signal);
  await until('First');
  leaving.abort();
  await cut;
  await eventually(() => container.logged('charged').length).toBe(1);
});

test('after SIGTERM nothing new is taken, an open stream goes on to its end and is charged, and the process exits', async () => {
  const { goOn } = halves();
  const { until } = await openStream();
  await until('First');
  const ended = container.terminate();
  await eventually(container.health).not.toBe(200);
  goOn();
  expect(await until('[DONE]')).toContain(' second');
  expect(await ended).toBe(0);
  expect(container.logged('charged')).toHaveLength(1);
  expect(container.logged('stopped with work in flight')).toEqual([]);
});

test('a container whose store does not answer takes no requests', async () => {
  const lost = await startContainer(cloud, 'chat-container', 'chat', {
    AWS_ENDPOINT_URL_DYNAMODB: upstream.baseUrl,
  });
  upstream.script((wire) => wire.json(500, {}));
  await eventually(lost.health).toBe(503);
  await lost.kill();
});
