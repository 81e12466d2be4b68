import { createFakeModel, serveVllm } from '@errand/decisions/testing';
import { choice, noul, score, TypeSafeClient } from '@typesafe-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordingServer } from '../support/local-server.ts';
import { type DecisionService, startDecisionService } from './support/decision-service.ts';

const favours = Object.fromEntries([...'ABCDEFGH'].map((letter) => [` ${letter}`, 9]));

/** No sheet of 32 questions is longer. */
const positionsOfSheet = 200;

let service: DecisionService;
let servers: RecordingServer[];
beforeAll(async () => {
  servers = await Promise.all([
    serveVllm({ model: createFakeModel({ favours }), computed: positionsOfSheet }),
    serveVllm({ model: createFakeModel({ favours: { ...favours, ' Sure': 18 } }) }),
  ]);
  const models = ['reader', 'talker'].map((id, index) => ({
    id,
    kind: 'decision',
    engine: 'prompt_logprobs',
    upstream: { baseUrl: `${servers[index]?.url}/v1`, model: 'tiny' },
    price: { inputPerMillionTokens: 0.1 },
  }));
  service = await startDecisionService({ models });
});
afterAll(() => Promise.all([service.close(), ...servers.map((server) => server.close())]));

const options = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`o${index}`, null]));
const choices = Object.keys(options).map((value) => ({ value }));
const levels = ['low', 'high'].map((label) => ({ label }));

const hasLabels = { labelMass: expect.any(Number), labelsOmitted: 0 };

describe('an answer of a label reader', () => {
  test('says to the client of System One what its labels held, and how many were not told', async () => {
    const client = new TypeSafeClient({
      baseURL: service.baseUrl,
      apiKey: service.key,
      defaultModel: 'reader',
    });
    const { answers } = await client.systemOne({
      state: 'x',
      questions: { late: noul(), which: choice(null, options), level: score(null, ['low', 'high']) },
    });
    expect(answers.late).toEqual({ type: 'noul', noul: expect.any(Number), ...hasLabels });
    expect(Object.keys(answers.which)).toEqual([
      'type',
      'choice',
      'probabilities',
      'confidence',
      'labelMass',
      'labelsOmitted',
    ]);
    const { labelMass, labelsOmitted } = answers.which as unknown as Record<string, number>;
    expect(labelMass).toBeGreaterThan(0.5);
    expect(labelMass).toBeLessThanOrEqual(1);
    expect(labelsOmitted).toBeGreaterThanOrEqual(30 - 20 - 1);
    expect(answers.level).toMatchObject(hasLabels);
    expect(answers.level.probabilities).toEqual({ 0: expect.any(Number), 1: expect.any(Number) });
  });

  test('says the same to the client of OpenAI’s decisions', async () => {
    const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.key });
    const { answers } = await client.decisions.create({
      model: 'reader',
      input: 'x',
      questions: [
        { type: 'predicate', instructions: 'Is it late?' },
        { type: 'choice', instructions: 'Which?', choices },
        { type: 'score', instructions: 'How much?', levels },
      ],
    });
    expect(answers[0]).toEqual({
      type: 'predicate',
      name: null,
      probability: expect.any(Number),
      ...hasLabels,
    });
    expect(answers[1]).toMatchObject({ labelMass: expect.any(Number), labelsOmitted: expect.any(Number) });
    expect(answers[2]).toMatchObject(hasLabels);
  });

  test('of several passes says it of each question', async () => {
    const response = await service.post(
      {
        model: 'reader',
        input: 'x',
        questions: Array.from({ length: 40 }, () => ({ type: 'predicate', instructions: 'Is it late?' })),
      },
      { path: '/v1/decisions' },
    );
    const { answers } = (await response.json()) as { answers: object[] };
    expect(answers).toHaveLength(40);
    for (const answer of answers) expect(answer).toMatchObject(hasLabels);
  });

  test('whose labels hold next to nothing is a 500 in both dialects, and is not charged', async () => {
    const before = await service.ledger();
    const asked = [
      await service.post({ model: 'talker', state: 'x', questions: { late: { type: 'noul' } } }),
      await service.post(
        { model: 'talker', input: 'x', questions: [{ type: 'predicate', instructions: 'Is it late?' }] },
        { path: '/v1/decisions' },
      ),
    ];
    expect(asked.map(({ status }) => status)).toEqual([500, 500]);
    expect(await asked[0]?.json()).toEqual({ error: 'Internal server error', code: 'internal_error' });
    expect(await asked[1]?.json()).toMatchObject({ error: { code: 'internal_error' } });
    expect(servers[1]?.received.filter(({ path }) => path === '/v1/completions')).toHaveLength(2);
    expect(await service.ledger()).toEqual(before);
  });
});

test('an answer of a System One server says nothing of labels', async () => {
  const response = await service.post({ model: 'judge', state: 'x', questions: { late: { type: 'noul' } } });
  const { answers } = (await response.json()) as { answers: object };
  expect(answers).toEqual({ late: { type: 'noul', noul: 0.75 } });
});
