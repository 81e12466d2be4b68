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
import { expect } from 'vitest';
import { type DecisionService, startDecisionService } from '../../decisions/support/decision-service.ts';
import { answerAll, answerWith } from '../../decisions/support/upstream.ts';
import { client } from '../support/declare-client.ts';
import { type Errand, startErrand } from '../support/errand.ts';
import { decides, isDown } from '../support/speak.ts';
import { connect } from './connect.ts';

type Options = NonNullable<ConstructorParameters<typeof TypeSafeClient>[0]>;

const late = { state: 'x', questions: { late: noul() } };
const ask = ({ url, key }: Pick<Errand, 'url' | 'key'>) => connect(url, key, 'judge').systemOne(late);

/** A client with short waits between its attempts, on a service with a held clock. */
const hasty = ({ baseUrl, key }: DecisionService, options: Options = {}) =>
  new TypeSafeClient({
    baseURL: baseUrl,
    apiKey: key,
    defaultModel: 'judge',
    logLevel: 'off',
    retry: { backoffInitialMs: 1, maxRetryAfterMs: 1 },
    ...options,
  });

const once = ({ url, key }: Errand) =>
  new TypeSafeClient({ baseURL: url, apiKey: key, defaultModel: 'judge', retry: { maxRetries: 0 } });

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );

const hasRequestId = { requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };

client('@typesafe-ai/sdk', 'decisions', ({ works }) => {
  works(
    '`systemOne` with questions of all kinds: typed answers, with usage and request id',
    async (errand) => {
      errand.upstream.script(decides);
      const { data, requestId } = await connect(errand.url, errand.key, 'judge')
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
      expect({ requestId }).toEqual(hasRequestId);
    },
  );

  works('`models.list`', async ({ url, key }) => {
    const models = await connect(url, key, 'judge').models.list();
    expect(models).toContainEqual({ name: 'judge', description: 'Decides.', release_date: '2026-01-31' });
  });

  works('400: `BadRequestError` with the request id', async ({ url, key }) => {
    const error = await failure(connect(url, key, 'jev-latest').systemOne(late));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, ...hasRequestId });
  });

  works('401: `AuthenticationError` with the request id', async (errand) => {
    const error = await failure(ask({ ...errand, key: 'wrong' }));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, ...hasRequestId });
  });

  works('402: an error that says that no credits are left', async (errand) => {
    const { key } = await errand.service.newAccount('0');
    await expect(ask({ ...errand, key })).rejects.toMatchObject({
      status: 402,
      message: '402 No remaining credits (EUR)',
    });
  });

  works('403: `PermissionDeniedError` of a deployment in the US', async () => {
    const us = await startErrand({ LOCATION: 'us' });
    await expect(ask(us)).rejects.toBeInstanceOf(PermissionDeniedError);
    await us.stop();
  });

  works('422: `UnprocessableEntityError` with the request id', async ({ url, key }) => {
    const questions = { q: choice(null, { one: null }) };
    const error = await failure(connect(url, key, 'judge').systemOne({ state: 'x', questions }));
    expect(error).toBeInstanceOf(UnprocessableEntityError);
    expect(error).toMatchObject({ status: 422, ...hasRequestId });
  });

  works('429: `RateLimitError` says when to retry, and the retry at that time gets the answer', async () => {
    const limited = await startDecisionService({ rateLimitRequests: 1 });
    await hasty(limited).systemOne(late);
    const refusal = await failure(hasty(limited, { retry: { maxRetries: 0 } }).systemOne(late));
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
    await hasty(limited, { fetch: watched as NonNullable<Options['fetch']> }).systemOne(late);
    expect(statuses).toEqual([429, 200]);
    await limited.close();
  });

  works('503: the retry gets the answer, and one answer is charged', async () => {
    const service = await startDecisionService();
    // The service asks its upstream twice for each request of the client.
    service.upstream.reply((request, response) =>
      (service.upstream.requests.length <= 4 ? answerWith(503, {}) : answerAll)(request, response),
    );
    expect((await hasty(service).systemOne(late)).answers.late.noul).toBe(0.75);
    expect(service.upstream.requests).toHaveLength(5);
    expect(await service.ledger()).toHaveLength(1);
    await service.close();
  });

  works('503 and 500 without retries: `InternalServerError`', async (errand) => {
    for (const [script, status, retryAfter] of [
      [isDown, 503, '5'],
      [(wire) => wire.json(200, {}), 500, null],
    ] as const satisfies [typeof isDown, number, string | null][]) {
      errand.upstream.script(script);
      const error = await failure(once(errand).systemOne(late));
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error).toMatchObject({ status });
      expect((error as InternalServerError).headers.get('retry-after')).toBe(retryAfter);
    }
  });
});
