import Anthropic from '@anthropic-ai/sdk';
import { chatRoutes } from '@errand/chat';
import { parseCatalogue } from '@errand/models';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';

let service: ChatService;

beforeAll(async () => {
  service = await startChatService(chatCatalogue('http://127.0.0.1:9/v1'));
});
afterAll(() => service.close());

test('GET /v1/models answers all three shapes', async () => {
  const body = (await (await service.get('/v1/models')).json()) as { data: object[]; models: object[] };
  expect(body).toMatchObject({ object: 'list' });
  const writer = {
    object: 'model',
    type: 'model',
    created_at: '2026-01-31T00:00:00.000Z',
    created: 1_769_817_600,
    owned_by: 'somebody',
    kind: 'chat',
    pricing: {
      currency: 'EUR',
      inputPerMillionTokens: 1,
      cachedInputPerMillionTokens: 0.5,
      outputPerMillionTokens: 2,
    },
    capabilities: { tools: true, images: false, structuredOutput: true, streaming: true },
  };
  expect(body.data.slice(0, 2)).toEqual([
    { id: 'writer', display_name: 'writer', ...writer },
    { id: 'writer-compressed', display_name: 'writer-compressed', ...writer },
  ]);
  expect(body).toMatchObject({ has_more: false, first_id: 'writer', last_id: 'judge' });
  expect(body.models).toEqual([
    { name: 'writer', description: 'Writes.', release_date: '2026-01-31' },
    {
      name: 'writer-compressed',
      description: expect.stringContaining('briefly'),
      release_date: '2026-01-31',
    },
    { name: 'eyes', description: '', release_date: '' },
    { name: 'ears', description: '', release_date: '' },
    { name: 'judge', description: '', release_date: '' },
  ]);
});

test.each([
  [
    'writer',
    { kind: 'chat', inputPerMillionTokens: 1, cachedInputPerMillionTokens: 0.5, outputPerMillionTokens: 2 },
  ],
  [
    'writer-compressed',
    { kind: 'chat', inputPerMillionTokens: 1, cachedInputPerMillionTokens: 0.5, outputPerMillionTokens: 2 },
  ],
  ['ears', { kind: 'speech', perSecond: 0.0001 }],
  ['judge', { kind: 'decision', inputPerMillionTokens: 0.1 }],
])('GET /v1/pricing/%s has the fields that apply', async (model, price) => {
  const response = await service.get(`/v1/pricing/${model}`);
  expect(await response.json()).toEqual({ model, currency: 'EUR', ...price });
});

const upstream = { baseUrl: 'http://127.0.0.1:9', model: 'x' };

/** Asks routes that have another catalogue, or another clock. */
function app(models: object[], clock: () => number = service.clock) {
  const catalogue = parseCatalogue({ models }, () => undefined);
  const routes = chatRoutes({ ...service.deps, catalogue, clock });
  return async (path: string) => {
    const response = await routes.request(path, { headers: { Authorization: `Bearer ${service.key}` } });
    return (await response.json()) as { data: Record<string, unknown>[]; next?: object; pricing?: object };
  };
}

test('a model and a price are found by an id with a slash, percent-encoded or not', async () => {
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const read = app([{ id: 'meta/llama-3', kind: 'chat', upstream, price, contextTokens: 8_192 }]);
  for (const id of ['meta/llama-3', 'meta%2Fllama-3', 'meta%2fllama%2D3', 'meta/llama-3-compressed']) {
    expect(await read(`/v1/pricing/${id}`)).toMatchObject({ model: expect.stringMatching('meta/llama-3') });
    expect(await read(`/v1/models/${id}`)).toMatchObject({
      id: decodeURIComponent(id),
      context_length: 8_192,
    });
  }
});

test('GET /v1/models/{model} has what GET /v1/models has', async () => {
  const { data } = (await (await service.get('/v1/models')).json()) as { data: { id: string }[] };
  for (const entry of data) expect(await (await service.get(`/v1/models/${entry.id}`)).json()).toEqual(entry);
});

describe("Anthropic's clients, which send anthropic-version,", () => {
  const client = () => new Anthropic({ baseURL: service.baseUrl, apiKey: service.key, maxRetries: 0 });

  test.each([
    ['/v1/models/nobody', 404, 'not_found_error'],
    ['/v1/models/writer', 401, 'authentication_error'],
    ['/v1/models', 401, 'authentication_error'],
  ])('read in their own envelope why %s is a %i', async (path, status, type) => {
    const key = status === 401 ? 'unknown' : service.key;
    const headers = { 'X-Api-Key': key, 'anthropic-version': '2023-06-01' };
    const response = await fetch(service.baseUrl + path, { headers });
    const id = response.headers.get('X-Request-Id');
    expect(response.headers.get('Request-Id')).toBe(id);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { type: 'error', error: { type, message: expect.any(String) }, request_id: id },
    ]);
  });

  test('are told the id of a request by the name that their provider gives it, and others are not', async () => {
    for (const path of ['/v1/models', '/v1/models/writer'])
      for (const [headers, isTold] of [
        [{ 'anthropic-version': '2023-06-01' }, true],
        [{}, false],
      ] as const) {
        const response = await fetch(service.baseUrl + path, {
          headers: { 'X-Api-Key': service.key, ...headers },
        });
        expect([response.status, response.headers.has('Request-Id')]).toEqual([200, isTold]);
      }
  });

  test('list every model, on one page', async () => {
    const page = await client().models.list({ limit: 1 });
    expect(page.hasNextPage()).toBe(false);
    const ids: string[] = [];
    for await (const { id } of page) ids.push(id);
    expect(ids).toEqual(['writer', 'writer-compressed', 'eyes', 'ears', 'judge']);
  });

  test('read of a model what they read of their own provider’s', async () => {
    const model = await client().models.retrieve('eyes');
    const no = { supported: false };
    expect(model).toMatchObject({
      ...{ id: 'eyes', type: 'model', display_name: 'eyes', created_at: '1970-01-01T00:00:00.000Z' },
      ...{ max_input_tokens: null, max_tokens: null, lifecycle: 'active' },
      ...{ deprecated_at: null, retires_at: null, line: null },
      capabilities: { image_input: { supported: true }, thinking: no, server_tools: no, batch: no },
    });
    for await (const listed of client().models.list())
      if (listed.id === 'eyes') expect(listed).toEqual(model);
  });

  test('read of a native model that what they ask for reaches it, but for what its provider runs', async () => {
    const native = { baseUrl: 'http://127.0.0.1:9', model: 'x', api: 'messages' };
    const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
    const kind = { id: 'claude', kind: 'vision', upstream: native, price };
    const catalogue = parseCatalogue(
      { models: [{ ...kind, contextTokens: 200_000, maxOutputTokens: 32_000 }] },
      () => undefined,
    );
    const routes = chatRoutes({ ...service.deps, catalogue });
    const headers = { 'X-Api-Key': service.key, 'anthropic-version': '2023-06-01' };
    const response = await routes.request('/v1/models/claude', { headers });
    const [yes, no] = [{ supported: true }, { supported: false }];
    expect(await response.json()).toMatchObject({
      ...{ context_length: 200_000, max_input_tokens: 200_000, max_tokens: 32_000 },
      capabilities: {
        tools: true,
        thinking: yes,
        effort: yes,
        pdf_input: yes,
        server_tools: no,
        code_execution: no,
      },
    });
  });
});

test.each(['nobody', 'meta/nobody', 'judge-compressed', 'writer%0A', '%E0%A4%A', 'writer/'])(
  "GET /v1/models/%s is a 404 in OpenAI's envelope",
  async (id) => {
    const response = await service.get(`/v1/models/${id}`);
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: {
          message: expect.stringMatching(/^There is no model "/),
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      },
    ]);
    expect(response.headers.get('RateLimit-Limit')).not.toBeNull();
  },
);

test('a model shows its capabilities, and its context where that is known', async () => {
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const nothing = { tools: false, images: false, structuredOutput: false, streaming: false };
  const everything = { tools: true, images: true, structuredOutput: true, streaming: true };
  const { data } = await app([
    { id: 'small', kind: 'chat', upstream, price, compressed: false, capabilities: { tools: false } },
    { id: 'eyes', kind: 'vision', upstream, price, compressed: false, contextTokens: 1_000 },
    { id: 'ears', kind: 'speech', upstream, price: { perSecond: 0.0001 } },
    { id: 'judge', kind: 'decision', upstream, price: { inputPerMillionTokens: 1 } },
  ])('/v1/models');
  expect(data.map(({ context_length, capabilities }) => [context_length, capabilities])).toEqual([
    [undefined, { ...everything, tools: false, images: false }],
    [1_000, everything],
    [undefined, nothing],
    [limits.decisionContextTokens, nothing],
  ]);
});

test('GET /v1/pricing/{model} of an unknown model is a 404', async () => {
  const response = await service.get('/v1/pricing/nobody');
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }]);
});

test('GET /v1/pricing has what GET /v1/pricing/{model} has, for every model of GET /v1/models', async () => {
  const { data } = (await (await service.get('/v1/pricing')).json()) as { data: { model: string }[] };
  const models = (await (await service.get('/v1/models')).json()) as { data: { id: string }[] };
  expect(data.map(({ model }) => model)).toEqual(models.data.map(({ id }) => id));
  for (const pricing of data)
    expect(pricing).toEqual(await (await service.get(`/v1/pricing/${pricing.model}`)).json());
});

test('a price that will change shows the next price until the change', async () => {
  const now = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const later = { from: '2027-01-01', inputPerMillionTokens: 3, outputPerMillionTokens: 4 };
  let time = Date.parse('2026-12-31T23:59:59.999Z');
  const read = app(
    [
      { id: 'writer', kind: 'chat', upstream, price: [now, later] },
      { id: 'ears', kind: 'speech', upstream, price: { from: '2026-11-01', perSecond: 0.0001 } },
    ],
    () => time,
  );
  const fields = { model: 'writer', kind: 'chat', currency: 'EUR' };
  const ears = { model: 'ears', kind: 'speech', currency: 'EUR', from: '2026-11-01', perSecond: 0.0001 };
  const before = { ...fields, ...now, next: later };
  expect(await read('/v1/pricing/writer')).toEqual(before);
  expect(await read('/v1/pricing')).toEqual({
    data: [before, { ...before, model: 'writer-compressed' }, ears],
  });
  expect((await read('/v1/models/writer')).pricing).toEqual({ currency: 'EUR', ...now });
  time++;
  const { from: _, ...prices } = later;
  expect((await read('/v1/models/writer')).pricing).toEqual({ currency: 'EUR', ...prices });
  const after = { ...fields, ...later };
  expect(await read('/v1/pricing/writer')).toEqual(after);
  expect(await read('/v1/pricing')).toEqual({
    data: [after, { ...after, model: 'writer-compressed' }, ears],
  });
});

test.each(['/v1/models', '/v1/models/writer', '/v1/pricing', '/v1/pricing/writer'])(
  'GET %s without a key is a 401',
  async (path) => {
    const response = await service.get(path, 'wrong');
    expect([response.status, await response.text()]).toEqual([401, 'Unauthorized']);
  },
);
