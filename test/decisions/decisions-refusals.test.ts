import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DecisionService, simpleBody, startDecisionService } from './support/decision-service.ts';
import { answerAll, answerWith } from './support/upstream.ts';

let service: DecisionService;
beforeAll(async () => {
  service = await startDecisionService({ contextTokens: 200 });
});
beforeEach(() => {
  service.upstream.reply(answerAll);
  service.upstream.requests.length = 0;
});
afterAll(() => service.close());

const path = '/v1/decisions';
const body = {
  model: 'judge',
  input: 'x',
  questions: [{ type: 'predicate', instructions: 'Is it late?' }],
};
const withQuestion = (question: unknown) => ({ ...body, questions: [question] });

async function refused(sent: unknown, key?: string) {
  const response = await service.post(sent, { path, key });
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code']);
  expect(service.deferred).toEqual([]);
  return { status: response.status, headers: response.headers, ...error };
}

describe('POST /v1/decisions refuses in OpenAI’s envelope, with the statuses of POST /v1/systemone:', () => {
  test.each([
    ['a body that is no JSON', '{', 400, 'malformed_json', null],
    ['an unknown model', { ...body, model: 'gpt-6-luna' }, 400, 'model_not_found', 'model'],
    ['a chat model', { ...body, model: 'writer' }, 400, 'model_kind_unsupported', 'model'],
    ['a request without input', { ...body, input: undefined }, 422, 'invalid_request', 'input'],
    [
      'a text over the context',
      { ...body, input: 'late '.repeat(500) },
      422,
      'context_length_exceeded',
      'input',
    ],
    [
      'a key __proto__',
      '{"model":"judge","questions":[{"type":"predicate","instructions":"q"}],' +
        '"input":[{"role":"user","content":[{"type":"input_json","data":{"__proto__":1}}]}]}',
      422,
      'invalid_request',
      'input.0.content.0...',
    ],
  ])('%s', async (_, sent, status, code, param) => {
    expect(await refused(sent)).toMatchObject({ status, code, param, type: 'invalid_request_error' });
    expect(service.upstream.requests).toEqual([]);
  });

  test('a missing key, an account without credits, a spent rate', async () => {
    expect(await refused(body, 'sk-unknown')).toMatchObject({ status: 401, message: 'Unauthorized' });
    expect(await refused(body, await service.newKey('0'))).toMatchObject({
      status: 402,
      message: 'No remaining credits (EUR)',
    });
    const strict = await startDecisionService({ rateLimitRequests: 1 });
    await strict.post(body, { path });
    const response = await strict.post(body, { path });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 'rate_limited' },
    });
    await strict.close();
  });

  test('a deployment in the US', async () => {
    const us = await startDecisionService({ location: 'us' });
    const response = await us.post(body, { path });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: { code: 'endpoint_not_available_in_location' } },
    ]);
    await us.close();
  });

  test.each([
    [429, 503, 'service_degraded'],
    [500, 503, 'service_degraded'],
    [401, 503, 'service_degraded'],
    [422, 500, 'internal_error'],
  ])('a provider’s %i', async (given, status, code) => {
    service.upstream.reply(answerWith(given, { error: 'no' }));
    expect(await refused(body)).toMatchObject({ status, code, type: 'server_error' });
    const other = await service.post(simpleBody);
    expect(other.status).toBe(status);
  });
});

const image = { type: 'input_image', image_url: 'https://images.example/a.png' };

test.each([
  ['the input', { ...body, input: [{ role: 'user', content: [image] }] }],
  ['instructions', withQuestion({ type: 'predicate', instructions: [image] })],
])('an image in %s is a 400 that says so where the model reads only text', async (_, sent) => {
  expect(await refused(sent)).toMatchObject({
    status: 400,
    code: 'input_unsupported',
    message: 'This model does not read images.',
  });
  expect(service.upstream.requests).toEqual([]);
});

const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
const choices = (...values: unknown[]) =>
  withQuestion({ type: 'choice', instructions: 'q', choices: values.map((value) => ({ value })) });
const levels = (count: number) =>
  withQuestion({ type: 'score', instructions: 'q', levels: Array(count).fill({ label: 'l' }) });

test.each([
  ['no questions', { ...body, questions: [] }, 'questions', 'must have 1 to 400 questions'],
  [
    '401 questions',
    { ...body, questions: Array(401).fill(body.questions[0]) },
    'questions',
    'must have 1 to 400',
  ],
  ['questions by name', { ...body, questions: { q: body.questions[0] } }, 'questions', 'must be a list'],
  [
    'another type',
    withQuestion({ type: 'noul', instructions: 'q' }),
    'questions[0].type',
    'must be predicate',
  ],
  [
    'no instructions',
    withQuestion({ type: 'predicate' }),
    'questions[0].instructions',
    'must be a string or',
  ],
  [
    'a name that is a number',
    withQuestion({ ...body.questions[0], name: 1 }),
    'questions[0].name',
    'a string',
  ],
  [
    'a name twice',
    { ...body, questions: ['late', 'late'].map((name) => ({ ...body.questions[0], name })) },
    'questions[1].name',
    'is there twice',
  ],
  ['1 choice', choices('a'), 'questions[0].choices', 'must be a list of 2 to 255 entries'],
  ['a choice twice', choices('a', 'b', 'a'), 'questions[0].choices[2].value', 'is there twice'],
  ['a choice that is a number', choices('a', 1), 'questions[0].choices[1].value', 'a string or a boolean'],
  ['1 level', levels(1), 'questions[0].levels', 'must be a list of 2 to 10 entries'],
  ['11 levels', levels(11), 'questions[0].levels', 'must be a list of 2 to 10 entries'],
  ['an empty input', { ...body, input: [] }, 'input', 'must be a string or a list'],
  ['another role', { ...body, input: [{ role: 'tool', content: 'x' }] }, 'input[0].role', 'must be user'],
  [
    'another part',
    { ...body, input: [{ role: 'system', content: [{ type: 'input_json', data: {} }] }] },
    'input[0].content[0].type',
    'must be input_text',
  ],
  [
    'JSON that is a list of numbers',
    { ...body, input: [{ role: 'user', content: [{ type: 'input_json', data: [1] }] }] },
    'input[0].content[0].data',
    'must be an object or a list of objects',
  ],
  [
    'an output without its call',
    { ...body, input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] },
    'input[0].call_id',
    'names no call before it',
  ],
  [
    'an output of another kind than its call',
    { ...body, input: [call, { type: 'custom_tool_call_output', call_id: 'c', output: 'x' }] },
    'input[1].call_id',
    'names no call before it',
  ],
  [
    'a call without a name',
    { ...body, input: [{ ...call, name: null }] },
    'input[0].name',
    'must be a string',
  ],
  [
    'an image with another address',
    {
      ...body,
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'file:///etc/passwd' }] }],
    },
    'input[0].content[0].image_url',
    'must be an http(s) address or a data URL',
  ],
])('%s: a 422 with the field in `param`', async (_, sent, param, message) => {
  const answer = await refused(sent);
  expect(answer).toMatchObject({ status: 422, code: 'invalid_request', param });
  expect(answer).toHaveProperty('message', expect.stringContaining(`${param}: `));
  expect(answer).toHaveProperty('message', expect.stringContaining(message));
});

test('the openai client throws its own error classes', async () => {
  const client = new OpenAI({ apiKey: 'sk-unknown', baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });
  const asking = client.decisions.create({
    model: 'judge',
    input: 'x',
    questions: [{ type: 'predicate', instructions: 'q' }],
  });
  await expect(asking).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
});

test('questions that do not fit the context together are read in several passes', async () => {
  const questions = Array.from({ length: 6 }, (_, i) => ({
    type: 'predicate',
    instructions: `Is it ${'very '.repeat(400)}late, number ${i}?`,
  }));
  const small = await startDecisionService({ contextTokens: 2_000 });
  const response = await small.post({ ...body, questions }, { path });
  expect(response.status).toBe(200);
  expect(small.upstream.requests.length).toBeGreaterThan(1);
  await small.close();
});
