import OpenAI from 'openai';
import type { DecisionCreateParams } from 'openai/resources/decisions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DecisionService, startDecisionService } from './support/decision-service.ts';
import { answerAll, answerWith } from './support/upstream.ts';

let service: DecisionService;
let client: OpenAI;
beforeAll(async () => {
  service = await startDecisionService();
  client = new OpenAI({ apiKey: service.key, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });
});
beforeEach(() => {
  service.upstream.reply(answerAll);
  service.upstream.requests.length = 0;
});
afterAll(() => service.close());

type Question = DecisionCreateParams['questions'][number];

const predicate: Question = { type: 'predicate', instructions: 'Is it late?' };
const choice: Question = {
  type: 'choice',
  name: 'team',
  instructions: 'Who answers?',
  choices: [{ value: true, description: 'us' }, { value: 'true' }, { value: 'ops' }],
};
const score: Question = {
  type: 'score',
  name: 'mood',
  instructions: 'How angry?',
  levels: [{ label: 'calm' }, { label: 'cross', description: 'short sentences' }],
};

const sent = () => service.upstream.requests.map(({ body }) => JSON.parse(body));

test('the openai client gets answers in the order of the questions, with typed values, names and usage', async () => {
  const { answers, usage, model, ...more } = await client.decisions.create({
    model: 'judge',
    input: 'The parcel is late.',
    questions: [predicate, choice, score],
  });
  expect(model).toBe('judge');
  expect(answers).toEqual([
    { type: 'predicate', name: null, probability: 0.75 },
    {
      type: 'choice',
      name: 'team',
      choice: true,
      confidence: 0.25,
      probabilities: [
        { value: true, probability: 0.5 },
        { value: 'true', probability: 0.25 },
        { value: 'ops', probability: 0.25 },
      ],
    },
    {
      type: 'score',
      name: 'mood',
      score: 0.5,
      confidence: 0,
      probabilities: [
        { label: 'calm', value: 0, probability: 0.5 },
        { label: 'cross', value: 1, probability: 0.5 },
      ],
    },
  ]);
  expect(usage).toEqual({
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 7,
  });
  expect(more).toMatchObject({ impact: { version: expect.any(String) } });
});

test('a System One server is sent the questions in its own words, values and labels before descriptions', async () => {
  await client.decisions.create({
    model: 'judge',
    input: 'The parcel is late.',
    questions: [predicate, choice, score],
  });
  expect(sent()).toEqual([
    {
      model: 'upstream-judge',
      state: 'The parcel is late.',
      questions: {
        question_1: { type: 'noul', instructions: 'Is it late?' },
        question_2: {
          type: 'choice',
          instructions: 'Who answers?',
          criteria: { true: 'true: us', '"true"': null, ops: null },
        },
        question_3: {
          type: 'score',
          instructions: 'How angry?',
          criteria: ['calm', 'cross: short sentences'],
        },
      },
    },
  ]);
});

const conversation: DecisionCreateParams['input'] = [
  { role: 'system', content: 'You judge.' },
  { role: 'developer', content: [{ type: 'input_text', text: 'Be strict.' }] },
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'Where is it?' },
      { type: 'input_json', data: { '10': 1, '2': 2 } },
    ],
  },
  { type: 'function_call', call_id: 'c1', name: 'track', arguments: '{"id":1}' },
  { type: 'function_call_output', call_id: 'c1', output: 'in transit' },
  { type: 'custom_tool_call', call_id: 'c1', name: 'shell', input: 'ls' },
  { type: 'custom_tool_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'a b' }] },
  { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot say.' }] },
];

test('a model of texts reads a conversation as the list of its messages, calls and outputs', async () => {
  await client.decisions.create({ model: 'judge', input: conversation, questions: [predicate] });
  expect(sent()[0].state).toEqual([
    { role: 'system', content: 'You judge.' },
    { role: 'developer', content: 'Be strict.' },
    { role: 'user', content: ['Where is it?', { '10': 1, '2': 2 }] },
    { tool_call: 'track', id: 'c1', input: '{"id":1}' },
    { tool_output_of: 'c1', output: 'in transit' },
    { tool_call: 'shell', id: 'c1', input: 'ls' },
    { tool_output_of: 'c1', output: 'a b' },
    { role: 'assistant', content: 'I cannot say.' },
  ]);
});

test('JSON in the input keeps the order of its keys', async () => {
  const data = '{"10":1,"2":{"b":1,"1":2}}';
  const input = `[{"role":"user","content":[{"type":"input_json","data":${data}}]}]`;
  await service.post(`{"model":"judge","input":${input},"questions":[${JSON.stringify(predicate)}]}`, {
    path: '/v1/decisions',
  });
  expect(service.upstream.requests[0]?.body).toContain(`"state":${data}`);
});

test('a System One server may have the protocol at another path', async () => {
  await client.decisions.create({ model: 'elsewhere', input: 'x', questions: [predicate] });
  expect(service.upstream.requests.map(({ path }) => path)).toEqual(['/v1/decide/now']);
});

describe('more questions than a pass takes', () => {
  const many = (count: number): Question[] =>
    Array.from({ length: count }, (_, i) => ({ ...predicate, name: `q${i}`, instructions: `Is it ${i}?` }));

  test('are read in several, answered in their order, and charged as one decision', async () => {
    service.upstream.reply(({ body }, response) => {
      const { questions } = JSON.parse(body) as { questions: Record<string, { instructions: string }> };
      const numbered = Object.entries(questions).map(([id, { instructions }]) => [
        id,
        { type: 'noul', noul: Number(/\d+/.exec(instructions)?.[0]) / 1000 },
      ]);
      response.end(JSON.stringify({ answers: Object.fromEntries(numbered), usage: { input_tokens: 10 } }));
    });
    const before = (await service.ledger()).length;
    const { answers, usage } = await client.decisions.create({
      model: 'judge',
      input: 'x',
      questions: many(400),
    });
    expect(answers).toEqual(
      many(400).map(({ name }, i) => ({ type: 'predicate', name, probability: i / 1000 })),
    );
    expect(sent().map(({ questions }) => Object.keys(questions).length)).toEqual([...Array(12).fill(32), 16]);
    expect(usage.input_tokens).toBe(130);
    const charges = await service.ledger();
    expect(charges).toHaveLength(before + 1);
    expect(charges.find(({ inputTokens }) => inputTokens === 130)).toMatchObject({ amountNanoEuro: -13_000 });
  });

  test('are read in one by a server that speaks this dialect', async () => {
    const answers = many(400).map(({ name }) => ({ type: 'predicate', name, probability: 0.5 }));
    service.upstream.reply(answerWith(200, { answers, usage: { input_tokens: 9 } }));
    await client.decisions.create({ model: 'native', input: 'x', questions: many(400) });
    expect(sent().map(({ questions }) => questions.length)).toEqual([400]);
  });
});

describe('a server that speaks this dialect', () => {
  const answers = [
    { type: 'refusal', name: null },
    {
      type: 'choice',
      name: 'team',
      choice: 'ops',
      probabilities: [
        { value: 'ops', probability: 0.6 },
        { value: 'true', probability: 0.1 },
        { value: true, probability: 0.3 },
      ],
      confidence: 7,
    },
    {
      type: 'score',
      name: 'mood',
      score: 9,
      probabilities: [
        { label: 'calm', value: 1, probability: 0.2 },
        { label: 'cross', value: 2, probability: 0.8 },
      ],
    },
  ];
  const usage = { input_tokens: 50, input_tokens_details: { cached_tokens: 20, cache_write_tokens: 5 } };

  test('gets the request in its own dialect, and its answers, refusals and cached input are passed on', async () => {
    service.upstream.reply(answerWith(200, { answers, usage }));
    const made = await client.decisions.create({
      model: 'native',
      input: conversation,
      questions: [predicate, choice, score],
    });
    expect(made.answers).toMatchObject([
      { type: 'refusal', name: null },
      { type: 'choice', choice: 'ops', probabilities: [{ value: true, probability: 0.3 }, {}, {}] },
      { type: 'score', score: 0.8 },
    ]);
    expect(made.usage).toMatchObject(usage);
    const [request] = service.upstream.requests;
    expect(request?.path).toBe('/v1/decisions');
    expect(request?.headers.authorization).toBe('Bearer upstream-secret');
    const parts = (text: string) => [{ type: 'input_text', text }];
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      model: 'upstream-native',
      input: [
        { role: 'system', content: parts('You judge.') },
        { role: 'developer', content: parts('Be strict.') },
        {
          role: 'user',
          content: [...parts('Where is it?'), { type: 'input_json', data: { '10': 1, '2': 2 } }],
        },
        { type: 'function_call', call_id: 'c1', name: 'track', arguments: '{"id":1}' },
        { type: 'function_call_output', call_id: 'c1', output: parts('in transit') },
        { type: 'custom_tool_call', call_id: 'c1', name: 'shell', input: 'ls' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: parts('a b') },
        { role: 'assistant', content: [{ type: 'output_text', text: 'I cannot say.' }] },
      ],
      questions: [
        { type: 'predicate', instructions: parts('Is it late?') },
        {
          type: 'choice',
          name: 'team',
          choices: [{ value: true, description: 'us' }, { value: 'true' }, {}],
        },
        { type: 'score', name: 'mood', levels: [{ label: 'calm' }, { label: 'cross' }] },
      ],
    });
    const charge = (await service.ledger()).find(({ inputTokens }) => inputTokens === 50);
    expect(charge).toMatchObject({
      cachedInputTokens: 20,
      cacheWriteTokens: 5,
      amountNanoEuro: -(30 * 100 + 20 * 10),
    });
  });

  test('is asked in its own dialect for callers of System One, to whom a refused question is an unreadable answer', async () => {
    service.upstream.reply(
      answerWith(200, { answers: [{ type: 'predicate', probability: 0.9 }], usage: { input_tokens: 5 } }),
    );
    const body = {
      model: 'native',
      state: { parcel: 'late' },
      questions: { late: { type: 'noul', criteria: { true: 'over a week' } } },
    };
    const response = await service.post(body);
    expect(await response.json()).toMatchObject({ answers: { late: { type: 'noul', noul: 0.9 } } });
    expect(sent()[0]).toMatchObject({
      input: [{ role: 'user', content: [{ type: 'input_json', data: { parcel: 'late' } }] }],
      questions: [
        {
          type: 'predicate',
          instructions: [
            { type: 'input_text', text: 'late' },
            { type: 'input_text', text: 'Yes: over a week' },
          ],
        },
      ],
    });
    service.upstream.reply(answerWith(200, { answers: [{ type: 'refusal', name: null }] }));
    expect((await service.post(body)).status).toBe(500);
  });

  test('gets images unchanged, unless the operator refuses addresses', async () => {
    const data = 'data:image/png;base64,AAAA';
    const input: DecisionCreateParams['input'] = [
      { role: 'user', content: [{ type: 'input_image', image_url: data, detail: 'low' }] },
    ];
    service.upstream.reply(answerWith(200, { answers: [{ type: 'predicate', probability: 1 }] }));
    const instructions: Question['instructions'] = [
      { type: 'input_text', text: 'The same?' },
      { type: 'input_image', image_url: 'https://images.example/a.png' },
    ];
    const questions: Question[] = [{ type: 'predicate', instructions }];
    await client.decisions.create({ model: 'native', input, questions });
    expect(sent()[0]).toMatchObject({
      input: [{ content: [{ type: 'input_image', image_url: data, detail: 'low' }] }],
      questions: [{ instructions }],
    });
    await client.decisions.create({ model: 'no-addresses', input, questions: [predicate] });
    await expect(client.decisions.create({ model: 'no-addresses', input, questions })).rejects.toMatchObject({
      status: 400,
      code: 'input_unsupported',
      param: 'input',
    });
    expect(service.upstream.requests).toHaveLength(2);
  });
});
