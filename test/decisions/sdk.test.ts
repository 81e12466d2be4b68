import {
  AuthenticationError,
  BadRequestError,
  choice,
  InternalServerError,
  noul,
  PermissionDeniedError,
  RateLimitError,
  score,
  TypeSafeClient,
  UnprocessableEntityError,
} from '@typesafe-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DecisionService, startDecisionService } from './support/decision-service.ts';
import { answerAll, answerWith } from './support/upstream.ts';

let service: DecisionService;
beforeAll(async () => {
  service = await startDecisionService();
});
beforeEach(() => {
  service.upstream.reply(answerAll);
  service.upstream.requests.length = 0;
});
afterAll(() => service.close());

type Options = NonNullable<ConstructorParameters<typeof TypeSafeClient>[0]>;

/** The published client with its defaults, except for the base URL and, in tests of retries, short waits. */
const client = (options: Options = {}, of: DecisionService = service) =>
  new TypeSafeClient({
    apiKey: of.key,
    baseURL: of.baseUrl,
    defaultModel: 'judge',
    logLevel: 'off',
    ...options,
  });

const ask = (options: Options = {}, of: DecisionService = service) =>
  client(options, of).systemOne({ state: 'x', questions: { late: noul() } });

const atOnce = { maxRetries: 0 };
const soon = { backoffInitialMs: 1, maxRetryAfterMs: 1 };

describe('the protocol’s public client', () => {
  it('gets typed answers of all kinds', async () => {
    const { data, requestId } = await client()
      .systemOne({
        state: { document: 'I was charged twice.' },
        questions: {
          refund: noul(null, { true: 'wants money back' }),
          category: choice('What is this about?', { billing: null, technical: 'a fault', other: null }),
          urgency: score('How urgent?', ['can wait', null, 'now']),
        },
      })
      .withResponse();
    expect(data.model).toBe('judge');
    expect(data.usage).toEqual({ input_tokens: 7, output_tokens: 0 });
    expect(data.answers.refund).toEqual({ type: 'noul', noul: 0.75 });
    expect(data.answers.category.choice).toBe('billing');
    expect(data.answers.category.probabilities.other).toBe(0.25);
    expect(data.answers.category.confidence).toBe(0.25);
    expect(data.answers.urgency.score).toBe(0.75);
    expect(data.answers.urgency.legend).toEqual({ 0: 'can wait', 1: null, 2: 'now' });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('lists the models', async () => {
    const models = await client().models.list();
    expect(models).toContainEqual({ name: 'judge', description: 'Decides.', release_date: '2026-01-31' });
  });

  it('throws the error of each status, with the request id', async () => {
    const failures = [
      [() => ask({ defaultModel: 'jev-latest' }), BadRequestError, 400],
      [() => ask({ apiKey: 'wrong' }), AuthenticationError, 401],
      [
        () => client().systemOne({ state: 'x', questions: { q: choice(null, { one: null }) } }),
        UnprocessableEntityError,
        422,
      ],
    ] as const;
    for (const [failure, type, status] of failures) {
      const error = await failure().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ status, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    }
  });

  it.each([
    [answerWith(503, {}), 503, '5'],
    [answerWith(200, {}), 500, null],
  ] as const)('throws an InternalServerError where the model fails', async (reply, status, retryAfter) => {
    service.upstream.reply(reply);
    const error = await ask({ retry: atOnce }).then(
      () => undefined,
      (reason: unknown) => reason as InternalServerError,
    );
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error?.status).toBe(status);
    expect(error?.headers.get('retry-after')).toBe(retryAfter);
  });

  it('throws the errors of spent credits and of a us deployment', async () => {
    const apiKey = await service.newKey('0');
    await expect(ask({ apiKey })).rejects.toMatchObject({
      status: 402,
      message: '402 No remaining credits (EUR)',
    });
    const us = await startDecisionService({ location: 'us' });
    await expect(ask({}, us)).rejects.toBeInstanceOf(PermissionDeniedError);
    await us.close();
  });

  it('asks again after a 503, and gets its answer', async () => {
    // The service asks its upstream twice for each request of the client.
    service.upstream.reply((request, response) =>
      (service.upstream.requests.length <= 4 ? answerWith(503, {}) : answerAll)(request, response),
    );
    const before = await service.ledger();
    expect((await ask({ retry: soon })).answers.late.noul).toBe(0.75);
    expect(service.upstream.requests).toHaveLength(5);
    expect(await service.ledger()).toHaveLength(before.length + 1);
  });

  it('reads from a 429 when to retry, and gets its answer then', async () => {
    const limited = await startDecisionService({ rateLimitRequests: 1 });
    await ask({}, limited);
    const refusal = await ask({ retry: atOnce }, limited).catch((reason: unknown) => reason);
    expect(refusal).toBeInstanceOf(RateLimitError);
    const { retryAfterMs = 0 } = refusal as RateLimitError;
    expect(retryAfterMs).toBeGreaterThan(0);
    const statuses: number[] = [];
    const watched: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      statuses.push(response.status);
      if (response.status === 429) limited.clock.advance(retryAfterMs);
      return response;
    };
    await ask({ retry: soon, fetch: watched as NonNullable<Options['fetch']> }, limited);
    expect(statuses).toEqual([429, 200]);
    await limited.close();
  });
});
