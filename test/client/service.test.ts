import {
  CreditsError,
  type components,
  createErrand,
  type Errand,
  type ErrandError,
  InvalidRequestError,
  NotFoundError,
  type RunEvent,
  UnauthorizedError,
} from '@errand/client';
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let errand: Errand;

useService((started) => ({ provider, service } = started));
beforeAll(() => {
  errand = createErrand(service);
});

const errorOf = (work: Promise<unknown>): Promise<ErrandError> =>
  work.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error) => error,
  );

describe('a route', () => {
  test('answers with data of the type that the document gives it', async () => {
    const { data } = await errand.api.GET('/v1/models');
    expectTypeOf(data).toEqualTypeOf<components['schemas']['ModelList']>();
    expect(data.data.map(({ id }) => id)).toContain('writer');
  });

  test('sends its parameters and its body, and accepts an empty answer', async () => {
    const created = await errand.api.POST('/v1/skills', {
      body: { name: 'brief', description: 'Is brief.', instructions: 'Be brief.' },
    });
    const params = { path: { id: created.data.id } };
    const { data } = await errand.api.GET('/v1/skills/{id}', { params });
    expect(data).toMatchObject({ name: 'brief', version: 1 });
    const { response } = await errand.api.DELETE('/v1/skills/{id}', { params });
    expect(response.status).toBe(204);
  });

  test('throws its refusal as an error with status, words and request id', async () => {
    const error = await errorOf(
      errand.api.GET('/v1/agents/runs/{agentId}', { params: { path: { agentId: 'none' } } }),
    );
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, message: 'Not found', body: { error: 'Not found' } });
    expect(error.requestId).toMatch(/./);
  });
});

describe('a run', () => {
  test('is started, followed to its end, and read', async () => {
    provider.script(inTurn({ text: 'Forty-two.' }));
    const run = await errand.runs.start({ question: 'What is it?', metadata: { of: 'test' } });
    const events: RunEvent[] = [];
    for await (const event of run.events()) events.push(event);
    expect(events).toEqual(await service.follow(run.agentId));
    expect(await run.wait()).toMatchObject({ status: 'succeeded', metadata: { of: 'test' } });
  });

  test('is started once by two calls with one idempotency key', async () => {
    const start = () => errand.runs.start({ question: 'Twice?' }, { idempotencyKey: 'the-same' });
    expect((await start()).agentId).toBe((await start()).agentId);
  });

  test('is started once with a file that goes by a link, which is sent once', async () => {
    const file = new File(['Twice? '.repeat(600_000)], 'twice.txt');
    let uploads = 0;
    const counting = createErrand({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      fetch: (input, init) => {
        if (String(input).endsWith('/v1/uploads')) uploads++;
        return fetch(input, init);
      },
    });
    const start = () =>
      counting.runs.start({ question: 'Twice?' }, { file, idempotencyKey: 'the-same-file' });
    const [first, second] = [await start(), await start()];
    expect([second.agentId, uploads]).toEqual([first.agentId, 1]);
    await counting.runs.start({ question: 'Twice?' }, { file, idempotencyKey: 'another' });
    expect(uploads).toBe(2);
  });

  test('can be opened by its id and cancelled', async () => {
    provider.script(() => 'hang');
    const { agentId } = await errand.runs.start({ question: 'Hang.' });
    const run = errand.runs.open(agentId);
    await run.cancel();
    expect(await run.wait()).toMatchObject({ status: 'failed', error: 'Cancelled' });
    provider.script(() => ({ text: 'ok' }));
  });

  test('whose events are known is over at once', async () => {
    const run = await errand.runs.start({ question: 'What?' });
    await run.wait();
    const events = errand.runs.follow(run.agentId, { after: 1000 });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

test('an unknown key is an UnauthorizedError that does not repeat the key', async () => {
  const error = await errorOf(
    createErrand({ ...service, apiKey: 'sk-unknown' }).runs.start({ question: 'May I?' }),
  );
  expect(error).toBeInstanceOf(UnauthorizedError);
  expect(JSON.stringify([error, error.message, error.stack])).not.toContain('sk-unknown');
});

test('an account without credits gets a CreditsError', async () => {
  const { key } = await service.newAccount('0');
  const poor = createErrand({ ...service, apiKey: key });
  expect(await errorOf(poor.runs.start({ question: 'May I?' }))).toBeInstanceOf(CreditsError);
});

test('a wrong request is an InvalidRequestError with the code that programs go by', async () => {
  const error = await errorOf(
    errand.chat.complete({ model: 'none', messages: [{ role: 'user', content: 'Hi' }] }),
  );
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ status: 400, code: 'model_not_found' });
});
