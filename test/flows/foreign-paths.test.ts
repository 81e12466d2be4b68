import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { NotFoundError } from 'openai';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let service: TestService;

useService((started) => ({ service } = started));

const chat = 'POST /v1/chat/completions';
const runs = 'POST /v1/agents/runs';

const withVersion: [string, string][] = [
  ['/v1/completions', chat],
  ['/v1/images/generations', runs],
  ['/v1/images/edits', chat],
  ['/v1/audio/transcriptions', runs],
  ['/v1/audio/speech', runs],
  ['/v1/moderations', 'POST /v1/systemone'],
  ['/v1/files', 'POST /v1/uploads'],
  ['/v1/files/file-1', 'POST /v1/uploads'],
  ['/v1/assistants', runs],
  ['/v1/assistants/asst_1', runs],
  ['/v1/threads/thread_1/runs', runs],
  ['/v1/batches', chat],
  ['/v1/fine_tuning/jobs', 'GET /v1/models'],
  ['/v1/vector_stores', runs],
  ['/v1/realtime', chat],
  ['/v1/realtime/sessions', chat],
  ['/v1/conversations', 'previous_response_id'],
  ['/v1/conversations/conv_1/items', 'POST /v1/responses'],
];
const withoutVersion: [string, string][] = [
  ['/chat/completions', chat],
  ['/models', 'GET /v1/models'],
  ['/models/writer', 'GET /v1/models'],
  ['/decisions', 'POST /v1/decisions'],
  ['/responses', 'POST /v1/responses'],
  ['/embeddings', 'POST /v1/embeddings'],
  ['/completions', chat],
  ['/messages', 'POST /v1/messages'],
  ['/messages/count_tokens', 'POST /v1/messages'],
  ['/audio/transcriptions', runs],
];
const doubled: [string, string][] = [
  ['/v1/v1/chat/completions', '/v1 twice'],
  ['/v1/v1/models', '@typesafe-ai/sdk take it without'],
  ['/v1/v1/messages', "Anthropic's"],
  ['/v1/v1/systemone', 'take the base URL without /v1'],
  ['/systemone', 'are POST /v1/systemone'],
  ['/v1/v1', '/v1 twice'],
];

const answersTo = async (path: string, init: RequestInit = {}) => {
  const response = await service.request(path, init);
  return { response, body: await response.json().catch(() => undefined) };
};
const envelope = (message: unknown) => ({
  error: { message, type: 'invalid_request_error', param: null, code: 'unknown_url' },
});

/** What is created at paths below one of ours. */
const created: [string, string][] = [
  ['/v1/responses/input_tokens', 'context_length'],
  ['/v1/responses/compact', 'POST /v1/responses'],
];

describe('a path that other services have is a 404 that says what is here instead', () => {
  test.each([...withVersion, ...withoutVersion, ...doubled])('%s', async (path, here) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { response, body } = await answersTo(path, { method });
      expect([response.status, body]).toEqual([404, envelope(expect.stringContaining(here))]);
    }
    expect((await service.request(path, { method: 'HEAD' })).status).toBe(404);
  });

  test.each(created)('POST %s', async (path, here) => {
    const { response, body } = await answersTo(path, { method: 'POST' });
    expect([response.status, body]).toEqual([404, envelope(expect.stringContaining(here))]);
  });

  test.each(withoutVersion)('%s also says that the base URL must end in /v1', async (path) => {
    expect((await answersTo(path)).body).toEqual(
      envelope(expect.stringContaining('base URL must end in /v1')),
    );
  });

  test.each(withVersion)('%s does not speak of the base URL', async (path) => {
    expect((await answersTo(path)).body).toEqual(envelope(expect.not.stringContaining('base URL')));
  });

  test("is an error that OpenAI's client reads", async () => {
    const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.apiKey, maxRetries: 0 });
    const moderation = client.moderations.create({ input: 'x' });
    await expect(moderation).rejects.toThrow('There are no moderations here');
    await expect(moderation).rejects.toBeInstanceOf(NotFoundError);
    const astray = new OpenAI({ baseURL: service.baseUrl, apiKey: service.apiKey, maxRetries: 0 });
    const completion = astray.chat.completions.create({ model: 'writer', messages: [] });
    await expect(completion).rejects.toMatchObject({ status: 404, code: 'unknown_url' });
  });
});

describe("a path under /v1/messages that has no route is answered in the envelope that Anthropic's clients read", () => {
  const here = 'There are no batches here: each message is a request of its own, POST /v1/messages.';
  const isFound = (method: string) => `Method not allowed: this path takes ${method}`;
  test.each<[string, string, number, object]>([
    ['POST', '/v1/messages/batches', 404, { message: here, code: 'unknown_url' }],
    ['GET', '/v1/messages/batches', 404, { message: here, code: 'unknown_url' }],
    ['DELETE', '/v1/messages/batches/msgbatch_1', 404, { message: here, code: 'unknown_url' }],
    ['GET', '/v1/messages/batches/msgbatch_1/results', 404, { message: here, code: 'unknown_url' }],
    ['POST', '/v1/messages/nothing', 404, { message: 'Not found' }],
    ['GET', '/v1/messages/', 404, { message: 'Not found' }],
    ['GET', '/v1/messages', 405, { message: isFound('POST') }],
    ['PUT', '/v1/messages/count_tokens', 405, { message: isFound('POST') }],
  ])('%s %s', async (method, path, status, said) => {
    const { response, body } = await answersTo(path, { method });
    const requestId = response.headers.get('X-Request-Id');
    const type = status === 404 ? 'not_found_error' : 'invalid_request_error';
    expect([response.status, body]).toEqual([
      status,
      { type: 'error', error: { type, ...said }, request_id: requestId },
    ]);
    expect(response.headers.get('Request-Id')).toBe(requestId);
    expect(response.headers.get('Allow')).toBe(status === 405 ? 'POST' : null);
  });

  test('also without a key', async () => {
    const response = await fetch(`${service.baseUrl}/v1/messages/batches`, { method: 'POST' });
    expect([response.status, await response.json()]).toMatchObject([404, { error: { message: here } }]);
  });

  test("is an error that Anthropic's client reads", async () => {
    const client = new Anthropic({ baseURL: service.baseUrl, apiKey: service.apiKey, maxRetries: 0 });
    await expect(client.messages.batches.list()).rejects.toMatchObject({
      ...{ status: 404, type: 'not_found_error' },
      requestID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

describe('as with any unknown path', () => {
  test('the request of a known key counts, and one without a key is answered', async () => {
    const { key } = await service.newAccount();
    const left = async () => {
      const response = await service.request('/v1/completions', { method: 'POST', key });
      return Number(response.headers.get('RateLimit-Remaining'));
    };
    const first = await left();
    expect(await left()).toBe(first - 1);
    const response = await fetch(`${service.baseUrl}/v1/completions`, { method: 'POST' });
    expect([response.status, response.headers.get('RateLimit-Remaining')]).toEqual([404, null]);
    expect(await response.json()).toEqual(envelope(expect.any(String)));
  });
});

test.each([
  '/v1',
  '/v1/nothing',
  '/v1/embedding',
  '/v1/embeddingsx',
  '/v1/files/a/b/c',
  '/v1/modelsx',
  '/v1x/embeddings',
  '/v2/embeddings',
  '/x/v1/embeddings',
  '/agents/runs',
  '/',
])('%s is unknown to all, and stays a bare 404', async (path) => {
  const { response, body } = await answersTo(path);
  expect([response.status, body]).toEqual([404, { error: 'Not found' }]);
});

test('paths of this service are not taken for those of other services', async () => {
  const statuses = await Promise.all(
    [
      '/v1/files/run/name.md',
      '/v1/models',
      '/v1/models/embeddings',
      '/v1/chat/completions',
      '/v1/embeddings',
    ].map(async (path) => [path, (await service.request(path)).status]),
  );
  expect(statuses).toEqual([
    ['/v1/files/run/name.md', 403],
    ['/v1/models', 200],
    ['/v1/models/embeddings', 404],
    ['/v1/chat/completions', 405],
    ['/v1/embeddings', 405],
  ]);
  expect((await answersTo('/v1/models/embeddings')).body).toMatchObject({
    error: { code: 'model_not_found' },
  });
});
