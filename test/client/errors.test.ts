import {
  ConnectionError,
  CreditsError,
  createErrand,
  ErrandError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
} from '@errand/client';
import { describe, expect, test } from 'vitest';

const baseUrl = 'http://127.0.0.1:1';
const apiKey = 'sk-a-key-that-nobody-may-read';

const answering = (response: () => Response | Promise<Response>) =>
  createErrand({ baseUrl, apiKey, fetch: async () => response(), wait: async () => {} });

const errorOf = (response: () => Response | Promise<Response>): Promise<ErrandError> =>
  answering(response)
    .api.GET('/v1/models')
    .then(
      () => Promise.reject(new Error('nothing was thrown')),
      (error) => error,
    );

describe('an answer that refuses', () => {
  test.each([
    [400, InvalidRequestError],
    [401, UnauthorizedError],
    [402, CreditsError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ErrandError],
    [413, InvalidRequestError],
    [415, InvalidRequestError],
    [422, InvalidRequestError],
    [429, RateLimitError],
    [500, UnavailableError],
    [503, UnavailableError],
  ])('of status %i is of its class', async (status, expected) => {
    const error = await errorOf(() => new Response('No.', { status }));
    expect(error.constructor).toBe(expected);
    expect(error).toMatchObject({ status, message: 'No.', body: 'No.', name: expected.name });
  });

  test.each([
    ['{"error":"No.","code":"budget_spent"}', 'No.', 'budget_spent'],
    ['{"error":{"message":"No.","code":"model_not_found"}}', 'No.', 'model_not_found'],
    ['{"error":{"message":"No.","code":null}}', 'No.', undefined],
    ['', 'The service answered 502.', undefined],
    ['[]', 'The service answered 502.', undefined],
  ])('says its words and its code: %s', async (body, message, code) => {
    const error = await errorOf(() => new Response(body, { status: 502 }));
    expect([error.message, error.code]).toEqual([message, code]);
  });

  test("that is a proxy's page becomes an error of its status", async () => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    const error = await errorOf(() => new Response('<h1>Bad gateway</h1>', { status: 502, headers }));
    expect(error.message).toBe('The service answered 502.');
  });

  test('says in milliseconds how long to wait', async () => {
    const error = await errorOf(() => new Response('', { status: 429, headers: { 'Retry-After': '7' } }));
    expect(error.retryAfterMilliseconds).toBe(7000);
  });
});

test('no answer is a ConnectionError with the reason as its cause', async () => {
  const reason = new TypeError('fetch failed');
  const error = await errorOf(() => Promise.reject(reason));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ status: 0, cause: reason });
});

test('an aborted call throws the reason of its abort', async () => {
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  const errand = answering(() => Promise.reject(signal.reason));
  await expect(errand.api.GET('/v1/models', { signal })).rejects.toBe(reason);
  await expect(errand.runs.start({ question: 'What?' }, { signal })).rejects.toBe(reason);
});

describe('what cannot be a service or a key', () => {
  test.each(['', 'localhost:8787', 'ftp://errand.example.com', 'https://me:secret@errand.example.com'])(
    'is refused without being repeated: %s',
    (wrong) => {
      expect(() => createErrand({ baseUrl: wrong, apiKey })).toThrow(TypeError);
      expect(() => createErrand({ baseUrl: wrong, apiKey })).not.toThrow('secret');
    },
  );

  test.each(['', 'two words', 'a\nline', 'clé'])('is refused as a key: %j', (wrong) => {
    const make = () => createErrand({ baseUrl, apiKey: wrong });
    expect(make).toThrow('The API key is empty or has characters that no key has.');
  });
});

test.each(['https://errand.example.com/', 'https://errand.example.com/v1', 'https://errand.example.com/v1/'])(
  'the base URL may be given as %s',
  async (given) => {
    const asked: string[] = [];
    const errand = createErrand({
      baseUrl: given,
      apiKey,
      fetch: async (input) => {
        asked.push(input instanceof Request ? input.url : String(input));
        return Response.json({ agentId: 'agent_1' });
      },
    });
    await errand.api.GET('/v1/models');
    await errand.runs.start({ question: 'What?' });
    expect(asked).toEqual([
      'https://errand.example.com/v1/models',
      'https://errand.example.com/v1/agents/runs',
    ]);
  },
);
