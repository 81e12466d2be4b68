import { parseOrderedJson, stringifyOrderedJson } from '@errand/platform';
import { choice, noul, score, TypeSafeClient } from '@typesafe-ai/sdk';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StandIns, startStandIns } from '../server.ts';
import { meaningfulWords } from '../words.ts';
import { answerQuestion, choiceConfidence, scoreConfidence } from './answer.ts';

let standIns: StandIns;
beforeAll(async () => {
  standIns = await startStandIns({ host: '127.0.0.1' });
});
afterAll(() => standIns.close());

const model = 'stand-in-decision';
const client = () =>
  new TypeSafeClient({
    apiKey: 'unused',
    baseURL: standIns.decisionBaseUrl,
    defaultModel: model,
    logLevel: 'off',
  });

async function post(body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${standIns.decisionBaseUrl}/v1/systemone`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

describe("the protocol's public client", () => {
  test('gets answers of every kind, and what the state says weighs most', async () => {
    const { answers, usage } = await client().systemOne({
      state: { ticket: 'I was charged twice on my invoice. I am very angry.' },
      questions: {
        category: choice('What is it about?', {
          technical: 'the app crashes',
          billing: 'charged, invoice',
          other: null,
        }),
        mood: score('How is the mood?', ['calm', 'annoyed', 'very angry']),
        invoice: noul('Does it speak of an invoice?', {
          true: 'invoice or charged',
          false: 'parcel or delivery',
        }),
      },
    });
    expect(answers.category.choice).toBe('billing');
    expect(answers.category.confidence).toBeGreaterThan(0.3);
    expect(answers.mood.score).toBeGreaterThan(1.5);
    expect(answers.mood.legend).toEqual({ 0: 'calm', 1: 'annoyed', 2: 'very angry' });
    expect(answers.invoice.noul).toBeGreaterThan(0.8);
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(usage.output_tokens).toBe(0);
  });

  test('lists the models', async () => {
    const models = await client().models.list();
    expect(models.map(({ name }) => name)).toContain(model);
  });
});

test('keys that look like integers keep the order in which they were sent', async () => {
  const { status, text } = await post(
    `{"model":"${model}","state":"x","questions":{"20":{"type":"choice","criteria":{"9":"b","1":"a","key":null}},"3":{"type":"noul"}}}`,
  );
  expect(status).toBe(200);
  expect(text.indexOf('"20"')).toBeLessThan(text.indexOf('"3"'));
  expect(text).toMatch(/"probabilities":\{"9":[^,]+,"1":[^,]+,"key":/);
});

test('a tie goes to the first option and has no confidence', async () => {
  const { text } = await post(
    `{"model":"${model}","state":null,"questions":{"q":{"type":"choice","criteria":{"7":"x","2":"y"}}}}`,
  );
  expect(JSON.parse(text).answers.q).toMatchObject({ choice: '7', confidence: 0 });
});

test.each([
  ['text that is not JSON', '{', 400, { error: 'Malformed JSON in request body' }],
  ['an unknown model', '{"model":"jev-latest"}', 400, { error: 'Unsupported model' }],
  ['no questions', `{"model":"${model}","state":"x","questions":{}}`, 422, { code: 'invalid_request' }],
  ['no state', `{"model":"${model}","questions":{"q":{"type":"noul"}}}`, 422, { code: 'invalid_request' }],
  [
    'a choice of one',
    `{"model":"${model}","state":"x","questions":{"q":{"type":"choice","criteria":{"a":null}}}}`,
    422,
    { code: 'invalid_request' },
  ],
  [
    'a score without levels',
    `{"model":"${model}","state":"x","questions":{"q":{"type":"score"}}}`,
    422,
    { code: 'invalid_request' },
  ],
  [
    'an unknown type',
    `{"model":"${model}","state":"x","questions":{"q":{"type":"guess"}}}`,
    422,
    { code: 'invalid_request' },
  ],
  [
    'a number as state',
    `{"model":"${model}","state":1,"questions":{"q":{"type":"noul"}}}`,
    422,
    { code: 'invalid_request' },
  ],
  [
    '2,000 levels of nesting',
    `{"model":"${model}","state":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
    422,
    { code: 'invalid_request' },
  ],
])('%s is refused', async (_what, body, status, error) => {
  const answer = await post(body);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject(error);
});

test('the same request gets the same answers, of every kind', async () => {
  const questions = {
    yes: { type: 'noul', instructions: 'Is it broken?' },
    queue: { type: 'choice', criteria: { returns: 'a broken parcel', billing: null } },
    mood: { type: 'score', criteria: ['calm', 'angry'] },
  };
  const body = JSON.stringify({ model, state: { parcel: ['broken', null] }, questions });
  const [one, other] = await Promise.all([post(body), post(body)]);
  expect(one.status).toBe(200);
  expect(other).toEqual(one);
  expect(Object.keys(JSON.parse(one.text).answers)).toEqual(['yes', 'queue', 'mood']);
});

describe('confidence', () => {
  test.each([
    [[0.5, 0.5], 0],
    [[1, 0, 0], 1],
    [[0.7, 0.3], 0.4],
  ])('of the choice probabilities %j is %d', (probabilities, confidence) => {
    expect(choiceConfidence(probabilities)).toBeCloseTo(confidence, 12);
  });

  test.each([
    [[0.5, 0, 0.5], 0],
    [[0, 1, 0], 1],
    [[0.8, 0.2, 0], 0.7],
  ])('of the score probabilities %j is %d', (probabilities, confidence) => {
    expect(scoreConfidence(probabilities)).toBeCloseTo(confidence, 12);
  });
});

describe('for any state and options', () => {
  const criteria = fc.array(fc.tuple(fc.string(), fc.option(fc.string())), { minLength: 2, maxLength: 10 });

  test('probabilities sum to 1 and the confidence lies between 0 and 1', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('choice', 'score'), criteria, (state, type, entries) => {
        const options = entries.map(([key, description], index) => ({
          key: type === 'score' ? String(index) : `${index}${key}`,
          description,
        }));
        const answer = answerQuestion(state, { id: 'q', type, instructions: null, options });
        const probabilities = [...(answer.get('probabilities') as Map<string, number>).values()];
        expect(probabilities).toHaveLength(options.length);
        expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 9);
        const confidence = answer.get('confidence') as number;
        expect(confidence >= 0 && confidence <= 1).toBe(true);
      }),
    );
  });

  test('a yes-or-no question gets a probability', () => {
    const described = fc.option(fc.tuple(fc.constantFrom('true', 'false'), fc.option(fc.string())));
    fc.assert(
      fc.property(fc.string(), fc.string(), described, (state, instructions, option) => {
        const options = option === null ? [] : [{ key: option[0], description: option[1] }];
        const answer = answerQuestion(state, { id: 'q', type: 'noul', instructions, options });
        const probability = answer.get('noul') as number;
        expect(probability >= 0 && probability <= 1).toBe(true);
      }),
    );
  });

  test('an option whose word the state has is more likely than one whose word it lacks', () => {
    const word = fc.stringMatching(/^[a-z]{4,8}$/).filter((text) => meaningfulWords(text).size > 0);
    const twoWords = fc.tuple(word, word).filter(([one, two]) => one.slice(0, 3) !== two.slice(0, 3));
    fc.assert(
      fc.property(twoWords, ([said, unsaid]) => {
        const options = [unsaid, said].map((key) => ({ key, description: null }));
        const answer = answerQuestion(`It is ${said}.`, {
          id: 'q',
          type: 'choice',
          instructions: null,
          options,
        });
        expect(answer.get('choice')).toBe(said);
      }),
    );
  });

  test('any JSON text is read and written as the same JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (json, indent) => {
        const spaced = JSON.stringify(JSON.parse(json), null, indent);
        expect(JSON.parse(stringifyOrderedJson(parseOrderedJson(spaced).value))).toEqual(JSON.parse(json));
      }),
    );
  });
});
