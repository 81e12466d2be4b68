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

describe('a run that goes on from another', () => {
  const save = (name: string) => ({ name: 'save_data', args: { name, value: 'yes' } });
  const functions = [{ name: 'stock_of', parameters: { type: 'object' } }];
  const toolsOffered = () => JSON.stringify(provider.requests.at(-1)?.tools);

  test('has its question, its file and the settings of the run before', async () => {
    provider.script(inTurn({ text: 'At noon.' }));
    const run = await errand.runs.start({ question: 'When is high water?', tools: [], functions });
    await run.wait();
    provider.script(inTurn({ text: 'At one.' }));
    const next = await run.follow('And tomorrow?');
    expect(await next.wait()).toMatchObject({ result: 'At one.', previousRunId: run.agentId });
    expect(toolsOffered()).toContain('stock_of');
    provider.script(inTurn({ text: 'At two.' }));
    const last = await next.follow({ question: 'And then?', functions: [] });
    expect(await last.wait()).toMatchObject({ previousRunId: next.agentId, thread: run.agentId });
    expect(toolsOffered() ?? '').not.toContain('stock_of');
  });

  test('is by the version of the agent that the run before was by, unless it names the agent anew', async () => {
    const name = 'tides';
    await errand.api.POST('/v1/agents', { body: { name, instructions: 'Say it in verse.' } });
    provider.script(() => ({ text: 'At noon.' }));
    const run = await errand.runs.start({ question: 'When is high water?', agent: name });
    await run.wait();
    const params = { path: { name } };
    await errand.api.PATCH('/v1/agents/{name}', { params, body: { instructions: 'Say it in prose.' } });
    const next = await (await run.follow('And tomorrow?')).wait();
    const anew = await (await run.follow({ question: 'And then?', agent: name })).wait();
    expect([next.agent, anew.agent]).toEqual([
      { name, version: 1 },
      { name, version: 2 },
    ]);
  });

  test('is started once by two calls with one idempotency key', async () => {
    provider.script(() => ({ text: 'At noon.' }));
    const run = await errand.runs.start({ question: 'When is high water?' });
    await run.wait();
    const follow = () => run.follow('And tomorrow?', { idempotencyKey: 'followed-once' });
    expect((await follow()).agentId).toBe((await follow()).agentId);
  });

  test('brings what was asked for: a text, a file, results of functions', async () => {
    const expected = [{ name: 'file', description: 'The table.' }];
    const request = { name: 'request_input', args: { message: 'Which harbour?', expected } };
    const asking = async (call: object, input: object = {}) => {
      provider.script(inTurn({ calls: [call as typeof request] }));
      const run = await errand.runs.start({ question: 'When is high water?', ...input });
      const { asked } = await run.wait();
      provider.script(inTurn({ text: 'At noon.' }));
      return { run, asked };
    };
    const { run } = await asking(request);
    await (await run.answer('Den Helder')).wait();
    expect(provider.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Den Helder' });
    provider.script(inTurn({ text: 'At noon.' }));
    await (await run.answer(new File(['12:00'], 'tides.txt'))).wait();
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('12:00');
    const call = { name: 'stock_of', args: { item: 'rope' } };
    const { run: calling, asked } = await asking(call, { functions });
    const callId = asked!.calls![0]!.id;
    const done = await (await calling.answer({ functionResults: [{ callId, result: '3' }] })).wait();
    expect(done).toMatchObject({ status: 'succeeded', result: 'At noon.' });
    expect(provider.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '3' });
  });

  test('makes the calls that were approved, is told why others were refused, and asks again under the same rule', async () => {
    provider.script(inTurn({ calls: [save('first'), save('second')] }));
    const run = await errand.runs.start({ question: 'Remember it.', approve: 'writes' });
    await run.wait();
    provider.script(inTurn({ calls: [save('third')] }));
    const seen: string[] = [];
    const next = await run.approve(({ arguments: json }) => {
      seen.push(json);
      return json.includes('first') || 'Once is enough.';
    });
    expect(seen).toEqual([save('first'), save('second')].map(({ args }) => JSON.stringify(args)));
    expect(await next.wait()).toMatchObject({
      status: 'awaiting_input',
      asked: { calls: [{ name: 'save_data', arguments: expect.stringContaining('third') }] },
    });
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('Once is enough.');
    provider.script(inTurn({ text: 'Done.' }));
    const last = await next.refuse('Enough.');
    expect(await last.wait()).toMatchObject({ status: 'succeeded', result: 'Done.' });
    const names = (await errand.api.GET('/v1/values')).data.values.map(({ name }) => name);
    expect(names).toContain('first');
    expect(names).not.toContain('second');
    expect(names).not.toContain('third');
    await expect(run.approve()).rejects.toMatchObject({ status: 409 });
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
