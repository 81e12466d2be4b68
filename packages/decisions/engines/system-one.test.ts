import type { ServerResponse } from 'node:http';
import { DomainError } from '@errand/platform';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type RecordingServer,
  type Reply,
  sendJson,
  sendText,
  serveAndRecord,
} from '../../../test/support/local-server.ts';
import { decisionModel, requestOf, upstreamDeps } from '../test-support/models.ts';
import type { Asking } from './engine.ts';
import { askSystemOne } from './system-one.ts';

const unbounded = (): Asking => ({ signal: new AbortController().signal, taking: { taken: false } });
const requestBody = `{
  "state": { "10": 12345678901234567890, "2": "x" },
  "questions": {
    "10": { "type": "noul", "instructions": null, "criteria": null, "extra": 1 },
    "2": { "type": "choice", "instructions": "Which?", "criteria": { "b": null, "1": { "z": 1, "0": 2 } } },
    "a": { "type": "score", "criteria": ["low", null, ["high"]] }
  }
}`;
const good = {
  answers: {
    10: { type: 'noul', noul: 0.25, confidence: 9 },
    2: { type: 'choice', choice: 'b', probabilities: { 1: 0.75, b: 0.25 }, confidence: 'wrong' },
    a: { type: 'score', score: 7, probabilities: { 0: 0.5, 1: 0.5, 2: 0 } },
  },
  usage: { input_tokens: 42, output_tokens: 3 },
};

let servers: RecordingServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function start(reply: Reply): Promise<RecordingServer> {
  const server = await serveAndRecord(reply);
  servers.push(server);
  return server;
}

const ask = (baseUrl: string, more: Parameters<typeof decisionModel>[2] = {}, deps = upstreamDeps()) =>
  askSystemOne(deps, decisionModel(baseUrl, 'systemone', more), requestOf(requestBody), unbounded());

describe('the systemone engine', () => {
  it('waits for an answer as long as the operator says', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = Promise.withResolvers<ServerResponse>();
    const server = await start((_, response) => asked.resolve(response));
    const answer = ask(server.url, {}, { ...upstreamDeps(), answerMilliseconds: 115_000 });
    const response = await asked.promise;
    vi.advanceTimersByTime(114_999);
    sendJson(response, 200, good);
    expect((await answer).inputTokens).toBe(42);
  });

  it.each(['', '/v1'])(
    'forwards in the protocol, in the order sent, to a base URL that ends in "%s"',
    async (prefix) => {
      const server = await start((_, response) => sendJson(response, 200, good));
      await ask(server.url + prefix);
      expect(server.received.map(({ path }) => path)).toEqual(['/v1/systemone']);
      expect(server.received[0]?.body).toBe(
        '{"model":"tiny","state":{"10":12345678901234567000,"2":"x"},"questions":{"10":{"type":"noul"},' +
          '"2":{"type":"choice","instructions":"Which?","criteria":{"b":null,"1":{"z":1,"0":2}}},' +
          '"a":{"type":"score","criteria":["low",null,["high"]]}}}',
      );
    },
  );

  it('reads the probabilities in the order of the options, and the tokens', async () => {
    const server = await start((_, response) => sendJson(response, 200, good));
    let now = 100;
    const clock = () => {
      now += 5;
      return now;
    };
    await expect(ask(server.url, {}, upstreamDeps({ clock }))).resolves.toEqual({
      probabilities: [
        [0.25, 0.75],
        [0.25, 0.75],
        [0.5, 0.5, 0],
      ],
      inputTokens: 42,
      inferenceMilliseconds: 5,
    });
  });

  it.each([
    undefined,
    { input_tokens: -1 },
    { input_tokens: 1.5 },
    { input_tokens: '42' },
    { input_tokens: 1_000_000_001 },
  ])('says no tokens where the server’s usage is %j', async (usage) => {
    const server = await start((_, response) => sendJson(response, 200, { ...good, usage }));
    expect((await ask(server.url)).inputTokens).toBeUndefined();
  });

  it.each([
    ['no JSON', '<html>'],
    ['NaN', JSON.stringify(good).replace('0.25', 'NaN')],
    ['null', 'null'],
    ['no answers', '{}'],
    ['a question less', JSON.stringify({ answers: { ...good.answers, a: undefined } })],
    ['another type', JSON.stringify({ answers: { ...good.answers, 10: { type: 'choice', noul: 0.2 } } })],
    ['a noul of 1.1', JSON.stringify({ answers: { ...good.answers, 10: { type: 'noul', noul: 1.1 } } })],
    ['a noul in quotes', JSON.stringify({ answers: { ...good.answers, 10: { type: 'noul', noul: '0.5' } } })],
    ['no probabilities', JSON.stringify({ answers: { ...good.answers, a: { type: 'score', score: 1 } } })],
    ['an option less', JSON.stringify(good).replace('"1":0.75,', '')],
    ['another option', JSON.stringify(good).replace('"b":0.25', '"c":0.25')],
    ['an option more', JSON.stringify(good).replace('"b":0.25', '"b":0.25,"c":0')],
    ['a sum of 1.0011', JSON.stringify(good).replace('"b":0.25', '"b":0.2511')],
  ])('refuses an answer with %s as unreadable, without asking again', async (_, body) => {
    const server = await start((_, response) => sendText(response, 200, body));
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'unreadable_answer' });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [429, 2, 'at_capacity'],
    [500, 2, 'at_capacity'],
    [503, 2, 'at_capacity'],
    [401, 1, 'upstream_misconfigured'],
    [404, 1, 'upstream_misconfigured'],
    [400, 1, 'upstream_refused'],
    [422, 1, 'upstream_refused'],
  ])('takes status %d, after %d requests, as %s', async (status, requests, code) => {
    const server = await start((_, response) => sendJson(response, status, { error: 'no' }));
    await expect(ask(server.url)).rejects.toMatchObject({ code });
    expect(server.received).toHaveLength(requests);
  });

  it.each([
    [422, { error: 'The request is too long.', code: 'context_length_exceeded' }],
    [400, { error: { code: 400, type: 'exceed_context_size_error', message: 'too long' } }],
    [400, { error: { code: 400, message: "This model's maximum context length is 4096 tokens." } }],
    [413, { error: 'does not fit the context' }],
  ])('takes a refusal with %d and %j as context_length_exceeded', async (status, body) => {
    const server = await start((_, response) => sendJson(response, status, body));
    await expect(ask(server.url)).rejects.toMatchObject({
      code: 'context_length_exceeded',
      details: { limitTokens: 16_384 },
    });
  });

  it('asks again once, and answers, if the server was busy at the first attempt', async () => {
    const server = await start((_, response) =>
      server.received.length === 1 ? sendJson(response, 503, {}) : sendJson(response, 200, good),
    );
    await expect(ask(server.url)).resolves.toHaveProperty('inputTokens', 42);
  });

  it('does not wait for a server that asks for more than a second', async () => {
    const server = await start((_, response) => {
      response.setHeader('Retry-After', '2');
      sendJson(response, 429, {});
    });
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'at_capacity' });
    expect(server.received).toHaveLength(1);
  });

  it('is stopped by the time limit while it waits for its second attempt', async () => {
    const limit = new AbortController();
    const server = await start((_, response) => sendJson(response, 503, {}));
    const wait = (_: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        limit.abort(new DomainError('timed_out'));
      });
    const model = decisionModel(server.url, 'systemone');
    await expect(
      askSystemOne(upstreamDeps({ clock: Object.assign(() => 0, { wait }) }), model, requestOf(requestBody), {
        signal: limit.signal,
        taking: { taken: false },
      }),
    ).rejects.toMatchObject({ code: 'timed_out' });
    expect(server.received).toHaveLength(1);
  });

  it('does not ask again once an answer has begun', async () => {
    const server = await start((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"answers"');
      setImmediate(() => response.destroy());
    });
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'at_capacity' });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['nothing', () => {}],
    ['a head alone', (response: ServerResponse) => response.flushHeaders()],
  ])('asks the fallback if the first upstream sends %s in `firstByteSeconds`', async (_, begin) => {
    let end = () => {};
    const startTimer = (milliseconds: number, onEnd: () => void) => {
      expect(milliseconds).toBe(20_000);
      end = onEnd;
      return () => {};
    };
    const silent = await start(async (_, response) => {
      begin(response);
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      end();
    });
    const server = await start((_, response) => sendJson(response, 200, good));
    const more = { fallbacks: [{ baseUrl: server.url, model: 'other' }], firstByteSeconds: 20 };
    const deps = upstreamDeps({ clock: Object.assign(() => 0, { startTimer }) });
    await expect(ask(silent.url, more, deps)).resolves.toHaveProperty('inputTokens', 42);
  });

  it('asks the fallback if the first upstream is unreachable', async () => {
    const gone = await start(() => {});
    await gone.close();
    servers = [];
    const server = await start((_, response) => sendJson(response, 200, good));
    const fallbacks = [{ baseUrl: server.url, model: 'other' }];
    await expect(ask(gone.url, { fallbacks })).resolves.toHaveProperty('inputTokens', 42);
    expect(JSON.parse(server.received[0]?.body ?? '').model).toBe('other');
  });
});
