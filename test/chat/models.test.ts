import { chatRoutes } from '@errand/chat';
import { parseCatalogue } from '@errand/models';
import { TypeSafeClient } from '@typesafe-ai/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';

let service: ChatService;

beforeAll(async () => {
  service = await startChatService(chatCatalogue('http://127.0.0.1:9/v1'));
});
afterAll(() => service.close());

test('GET /v1/models answers both shapes', async () => {
  const body = (await (await service.get('/v1/models')).json()) as { data: object[]; models: object[] };
  expect(body).toMatchObject({ object: 'list' });
  expect(body.data.slice(0, 2)).toEqual([
    { id: 'writer', object: 'model', created: 1_769_817_600, owned_by: 'somebody', kind: 'chat' },
    { id: 'writer-compressed', object: 'model', created: 1_769_817_600, owned_by: 'somebody', kind: 'chat' },
  ]);
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

test("the decision protocol's client lists the models", async () => {
  const client = new TypeSafeClient({ baseURL: service.baseUrl, apiKey: service.key });
  const models = await client.models.list();
  expect(models.map(({ name }) => name)).toContain('judge');
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

test('the price of an id with a slash is found, written either way', async () => {
  const { deps } = service;
  const catalogue = parseCatalogue(
    {
      models: [
        {
          id: 'meta/llama-3',
          kind: 'chat',
          upstream: { baseUrl: 'http://127.0.0.1:9', model: 'x' },
          price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
        },
      ],
    },
    () => undefined,
  );
  const app = chatRoutes({ ...deps, catalogue });
  for (const path of ['/v1/pricing/meta/llama-3', '/v1/pricing/meta%2Fllama-3']) {
    const response = await app.request(path, { headers: { Authorization: `Bearer ${service.key}` } });
    expect(await response.json()).toMatchObject({ model: 'meta/llama-3' });
  }
});

test('GET /v1/pricing/{model} of an unknown model is a 404', async () => {
  const response = await service.get('/v1/pricing/nobody');
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }]);
});

const app = (price: unknown, clock: () => number) => {
  const upstream = { baseUrl: 'http://127.0.0.1:9', model: 'x' };
  const models = [
    { id: 'writer', kind: 'chat', upstream, price },
    { id: 'ears', kind: 'speech', upstream, price: { from: '2026-11-01', perSecond: 0.0001 } },
  ];
  const routes = chatRoutes({
    ...service.deps,
    catalogue: parseCatalogue({ models }, () => undefined),
    clock,
  });
  return async (path: string) => {
    const response = await routes.request(path, { headers: { Authorization: `Bearer ${service.key}` } });
    return (await response.json()) as { data: object[]; next?: object };
  };
};

test('GET /v1/pricing has what GET /v1/pricing/{model} has, for every model of GET /v1/models', async () => {
  const { data } = (await (await service.get('/v1/pricing')).json()) as { data: { model: string }[] };
  const models = (await (await service.get('/v1/models')).json()) as { data: { id: string }[] };
  expect(data.map(({ model }) => model)).toEqual(models.data.map(({ id }) => id));
  for (const pricing of data)
    expect(pricing).toEqual(await (await service.get(`/v1/pricing/${pricing.model}`)).json());
});

test('a price that will change says what is next, until it has changed', async () => {
  const now = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const later = { from: '2027-01-01', inputPerMillionTokens: 3, outputPerMillionTokens: 4 };
  let time = Date.parse('2026-12-31T23:59:59.999Z');
  const read = app([now, later], () => time);
  const fields = { model: 'writer', kind: 'chat', currency: 'EUR' };
  const ears = { model: 'ears', kind: 'speech', currency: 'EUR', from: '2026-11-01', perSecond: 0.0001 };
  const before = { ...fields, ...now, next: later };
  expect(await read('/v1/pricing/writer')).toEqual(before);
  expect(await read('/v1/pricing')).toEqual({
    data: [before, { ...before, model: 'writer-compressed' }, ears],
  });
  time++;
  const after = { ...fields, ...later };
  expect(await read('/v1/pricing/writer')).toEqual(after);
  expect(await read('/v1/pricing')).toEqual({
    data: [after, { ...after, model: 'writer-compressed' }, ears],
  });
});

test.each(['/v1/models', '/v1/pricing', '/v1/pricing/writer'])(
  'GET %s without a key is a 401',
  async (path) => {
    const response = await service.get(path, 'wrong');
    expect([response.status, await response.text()]).toEqual([401, 'Unauthorized']);
  },
);
