import { createKey } from '@errand/accounts';
import { parseCatalogue } from '@errand/models';
import { type KeyLimits, limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';
import { type ChatService, startChatService } from './support/chat-service.ts';

const requestsOfWindow = 1_000;
const tokens = { prompt_tokens: 20, total_tokens: 20 };

let upstream: ScriptedUpstream;
let fallback: ScriptedUpstream;
let service: ChatService;

/** Tokens cost 1,000 nano-euro. */
const catalogueOf = (baseUrl: string, fallbackUrl: string) => {
  const price = { inputPerMillionTokens: 1 };
  const at = (url: string) => ({ baseUrl: url, model: 'upstream-meaning' });
  return parseCatalogue(
    {
      models: [
        { id: 'meaning', kind: 'embedding', upstream: at(baseUrl), price, contextTokens: 512 },
        { id: 'twice', kind: 'embedding', upstream: at(baseUrl), fallbacks: [at(fallbackUrl)], price },
        { id: 'writer', kind: 'chat', upstream: at(baseUrl), price: { ...price, outputPerMillionTokens: 2 } },
      ],
    },
    () => undefined,
  );
};

beforeAll(async () => {
  [upstream, fallback] = await Promise.all([startUpstream(), startUpstream()]);
  const catalogue = catalogueOf(upstream.baseUrl, fallback.baseUrl);
  service = await startChatService(catalogue, { rateLimitRequests: requestsOfWindow });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
  await fallback.close();
});

/** A vector for each text, whose first number is the place of the text; the last text comes first. */
const embeds =
  (more: object = { usage: tokens }): UpstreamScript =>
  (wire, { body: { input } }) => {
    const texts = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input];
    const data = texts.map((_, index) => ({ object: 'embedding', index, embedding: [index, 0.1] }));
    return wire.json(200, { object: 'list', data: data.toReversed(), model: 'upstream-meaning', ...more });
  };

const base64Of = (numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString('base64');

beforeEach(() => {
  upstream.script(embeds());
  fallback.script(embeds());
});

interface Answer {
  data: { embedding: unknown }[];
  usage: object;
  error: { message: string; param: string | null; code: string };
}

const post = (body: unknown, key?: string) => service.post(body, { path: '/v1/embeddings', key });
const answerTo = async (body: unknown, key?: string) => {
  const response = await post(body, key);
  return { status: response.status, body: (await response.json()) as Answer };
};
const right = { model: 'meaning', input: 'When does the ferry leave?' };
const keyOf = async (credits: string, keyLimits: KeyLimits = {}) => {
  const { accounts } = service.deps;
  const { accountId } = await newTestAccount(accounts, { credits });
  const { key } = await createKey(accounts, { accountId, label: 'test', limits: keyLimits });
  return { key, accountId };
};

describe('embeddings', () => {
  test('are answered in the order of the texts, with usage and impact, and charged by their tokens', async () => {
    const { key, accountId } = await keyOf('1');
    const { status, body } = await answerTo({ model: 'meaning', input: ['one', 'two'], user: 'me' }, key);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'list',
      data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [index, 0.1] })),
      model: 'meaning',
      usage: tokens,
      impact: expect.objectContaining({ version: expect.any(String) }),
    });
    expect(upstream.requests.map(({ path, body }) => ({ path, ...body }))).toEqual([
      { path: '/v1/embeddings', model: 'upstream-meaning', input: ['one', 'two'], user: 'me' },
    ]);
    expect(await service.ledger({ accountId })).toMatchObject([
      { kind: 'embedding', model: 'meaning', inputTokens: 20, amountNanoEuro: -20_000 },
      { kind: 'credit' },
    ]);
  });

  test.each([
    ['a text', 'one', 1],
    ['tokens', [1, 2, 3], 1],
    ['lists of tokens', [[1, 2], [3]], 2],
    ['as many texts as one request may have', Array(limits.embeddedTexts).fill('one'), limits.embeddedTexts],
  ])('are made of %s', async (_, input, vectors) => {
    const { status, body } = await answerTo({ model: 'meaning', input });
    expect([status, body.data.length]).toEqual([200, vectors]);
    expect(upstream.requests[0]?.body.input).toEqual(input);
  });

  test('are counted here where the provider reports no tokens, of each text no more than the model reads', async () => {
    const { key, accountId } = await keyOf('1');
    for (const usage of [undefined, { prompt_tokens: 0, total_tokens: 0 }]) {
      upstream.script(embeds({ usage }));
      const { body } = await answerTo({ model: 'meaning', input: ['one two', 'word '.repeat(5_000)] }, key);
      expect(body.usage).toEqual({ prompt_tokens: 514, total_tokens: 514 });
    }
    expect((await service.ledger({ accountId }))[0]).toMatchObject({ inputTokens: 514 });
  });

  test('are asked for again as numbers where a provider does not know base64, and answered as they were asked for', async () => {
    const refuses: UpstreamScript = (wire) =>
      wire.json(422, { error: { message: 'extra inputs are not permitted', param: 'encoding_format' } });
    upstream.script(refuses, embeds());
    const { body } = await answerTo({ ...right, encoding_format: 'base64' });
    expect(body.data[0]?.embedding).toBe(Buffer.from(new Float32Array([0, 0.1]).buffer).toString('base64'));
    expect(upstream.requests.map(({ body }) => body.encoding_format)).toEqual(['base64', undefined]);
  });

  test('of many texts are asked for in base64, which fits the bound of an answer', async () => {
    const vector = Array.from({ length: 3_072 }, (_, i) => Math.fround(Math.sin(i)));
    upstream.script((wire, { body: { input, encoding_format } }) => {
      const written = encoding_format === 'base64' ? base64Of(vector) : vector;
      const data = (input as string[]).map((_, index) => ({ index, embedding: written }));
      return wire.json(200, JSON.stringify({ data, usage: tokens }, null, 2));
    });
    const input = Array(limits.embeddedTexts).fill('a');
    const response = await post({ model: 'meaning', input });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as Answer;
    expect([data.length, data.at(-1)?.embedding]).toEqual([limits.embeddedTexts, vector]);
  });

  test('of many texts are under way in a few requests at once', async () => {
    let most = 0;
    let underWay = 0;
    const released = Promise.withResolvers<void>();
    upstream.script(async (wire, request) => {
      if (typeof request.body.input === 'string') return embeds()(wire, request);
      most = Math.max(most, ++underWay);
      await released.promise;
      underWay--;
      return embeds()(wire, request);
    });
    const input = Array(limits.fewEmbeddedTexts + 1).fill('a');
    const answers = Array.from({ length: 3 * limits.largeEmbeddingsAtOnce }, () =>
      post({ model: 'meaning', input }),
    );
    // Requests that came later are through by then.
    for (const _ of answers) await post(right);
    released.resolve();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(most).toBe(limits.largeEmbeddingsAtOnce);
  });

  test('are made by a fallback where the first provider fails', async () => {
    upstream.script((wire) => wire.json(500, {}));
    const { status } = await answerTo({ ...right, model: 'twice' });
    expect([status, upstream.requests.length, fallback.requests.length]).toEqual([200, 1, 1]);
  });

  test('of an account with too little for the bytes of a text are paid by its counted tokens', async () => {
    const { key, accountId } = await keyOf('0.0001');
    expect((await answerTo({ ...right, input: 'word '.repeat(30) }, key)).status).toBe(200);
    const purse = await service.purse({ accountId });
    expect(purse.balanceNanoEuro).toBe(80_000);
    expect(purse.availableNanoEuro).toBe(80_000);
  });
});

describe('a request for embeddings that is wrong', () => {
  test.each([
    ['no model', { input: 'one' }, 'model', 'invalid_request'],
    ['an unknown model', { ...right, model: 'nobody' }, 'model', 'model_not_found'],
    ['a model of another kind', { ...right, model: 'writer' }, 'model', 'model_kind_unsupported'],
    ['no input', { model: 'meaning' }, 'input', 'invalid_request'],
    ['an empty text', { ...right, input: '' }, 'input', 'invalid_request'],
    ['no texts', { ...right, input: [] }, 'input', 'invalid_request'],
    [
      'too many texts',
      { ...right, input: Array(limits.embeddedTexts + 1).fill('a') },
      'input',
      'invalid_request',
    ],
    ['an empty text in a list', { ...right, input: ['one', ''] }, 'input[1]', 'invalid_request'],
    ['texts and tokens', { ...right, input: [1, 'one'] }, 'input[1]', 'invalid_request'],
    ['a token that is none', { ...right, input: [[1, -1]] }, 'input[0][1]', 'invalid_request'],
    ['no tokens', { ...right, input: [[]] }, 'input[0]', 'invalid_request'],
    ['another format', { ...right, encoding_format: 'int8' }, 'encoding_format', 'invalid_request'],
    ['no dimensions', { ...right, dimensions: 0 }, 'dimensions', 'invalid_request'],
    ['a field that is not known', { ...right, input_type: 'query' }, 'input_type', 'invalid_request'],
  ])('by %s is a 400 that names its field, and asks no provider', async (_, body, param, code) => {
    const { status, body: refusal } = await answerTo(body);
    expect([status, refusal.error]).toMatchObject([400, { param, code, type: 'invalid_request_error' }]);
    expect(upstream.requests).toEqual([]);
  });

  test.each([
    ['an unknown key', 401, async () => 'nobody'],
    ['a key for other routes', 403, async () => (await keyOf('1', { routes: ['runs'] })).key],
    ['no credits', 402, async () => (await keyOf('0')).key],
  ])('and has %s is refused for that first: %s', async (_, status, keyFor) => {
    const key = await keyFor();
    for (const body of [right, { model: 'nobody' }]) expect((await post(body, key)).status).toBe(status);
  });

  test('by a model that its key may not use is a 403 in the envelope', async () => {
    const { key } = await keyOf('1', { models: ['writer'] });
    const { status, body } = await answerTo(right, key);
    expect([status, body.error]).toMatchObject([403, { code: 'model_forbidden', param: 'model' }]);
  });
});

describe('a provider of embeddings', () => {
  test.each<[string, object]>([
    ['too few vectors', { data: [] }],
    ['a vector that is none', { data: [{ embedding: [null] }] }],
    ['a vector without numbers', { data: [{ embedding: [] }] }],
    ['base64 that is cut', { data: [{ embedding: 'AAAAAAA=' }] }],
    ['base64 that is none', { data: [{ embedding: '!'.repeat(16) }] }],
    ['what is no number', { data: [{ embedding: base64Of([1, Number.NaN]) }] }],
    ['a number of more than 32 bits', { data: [{ embedding: [1, 1e300] }] }],
    ['a vector without end', { data: [{ embedding: Array(limits.embeddingNumbers + 1).fill(1) }] }],
    ['the vector of another text', { data: [{ index: 1, embedding: [1] }] }],
    ['an error', { error: { message: 'sk-secret' } }],
  ])('that sends %s is a 503, and nothing is charged', async (_, answer) => {
    const { key, accountId } = await keyOf('1');
    upstream.script((wire) => wire.json(200, answer));
    const { status, body } = await answerTo(right, key);
    expect([status, body]).toEqual([503, { error: 'Service temporarily at capacity. Please retry.' }]);
    expect((await service.purse({ accountId })).availableNanoEuro).toBe(1_000_000_000);
  });

  test('that sends vectors of different lengths is a 503', async () => {
    upstream.script((wire) => wire.json(200, { data: [{ embedding: [1] }, { embedding: [1, 2] }] }));
    expect((await post({ ...right, input: ['one', 'two'] })).status).toBe(503);
  });

  test('that refuses the request is a 400 with its words, and nothing is charged', async () => {
    const { key, accountId } = await keyOf('1');
    upstream.script((wire) => wire.json(400, { error: { message: 'input is too long', param: 'input' } }));
    const { status, body } = await answerTo(right, key);
    expect([status, body.error]).toMatchObject([400, { message: 'input is too long', param: 'input' }]);
    expect((await service.purse({ accountId })).availableNanoEuro).toBe(1_000_000_000);
  });
});
