import { stringifyOrderedJson } from '@errand/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseLogprobs, normaliseProbabilities } from '../../probabilities.ts';
import type { Question, QuestionType } from '../../request.ts';
import { buildAnswer } from './write-answer.ts';

const question = (type: QuestionType, keys: readonly string[]): Question => ({
  id: 'q',
  type,
  instructions: [],
  options: keys.map((key) => ({ key, description: null })),
});

const choiceOf = (probabilities: readonly number[], keys?: readonly string[]) =>
  buildAnswer(question('choice', keys ?? probabilities.map((_, i) => `o${i}`)), probabilities);
const scoreOf = (probabilities: readonly number[]) =>
  buildAnswer(
    question(
      'score',
      probabilities.map((_, i) => String(i)),
    ),
    probabilities,
  );
const confidenceOf = (answer: ReturnType<typeof buildAnswer>) => answer.get('confidence') as number;

const distribution = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength })
    .filter((weights) => weights.some((weight) => weight > 0))
    .map((weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return weights.map((weight) => weight / total);
    });

describe('a choice', () => {
  it('has the confidence of the formula, between 0 and 1', () => {
    fc.assert(
      fc.property(distribution(255), (p) => {
        const n = p.length;
        const highest = [...p].sort((a, b) => b - a)[0] as number;
        const confidence = confidenceOf(choiceOf(p));
        expect(confidence).toBeCloseTo((highest * n - 1) / (n - 1), 9);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('goes to the first option as sent on an exact tie', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.nat(300).map(String), fc.string()), { minLength: 2, maxLength: 255 }),
        (keys) => {
          const even = keys.map(() => 1 / keys.length);
          const answer = choiceOf(even, keys);
          expect(answer.get('choice')).toBe(keys[0]);
          expect(confidenceOf(answer)).toBeCloseTo(0, 12);
          expect([...(answer.get('probabilities') as Map<string, number>).keys()]).toEqual(keys);
        },
      ),
    );
  });

  it('has confidence 1 if one option has all the probability', () => {
    expect(confidenceOf(choiceOf([0, 1, 0]))).toBe(1);
  });

  it('has its fields in the documented order', () => {
    expect(stringifyOrderedJson(choiceOf([0.25, 0.75], ['10', '2']))).toBe(
      '{"type":"choice","choice":"2","probabilities":{"10":0.25,"2":0.75},"confidence":0.5}',
    );
  });
});

describe('a score', () => {
  it('has the confidence of the formula, between 0 and 1', () => {
    fc.assert(
      fc.property(distribution(10), (p) => {
        const n = p.length;
        let mode = 0;
        for (let i = 1; i < n; i++) if ((p[i] as number) > (p[mode] as number)) mode = i;
        let spread = 0;
        let even = 0;
        for (let i = 0; i < n; i++) {
          spread += (p[i] as number) * Math.abs(i - mode);
          even += Math.abs(2 * i - n + 1) / (2 * n);
        }
        expect(confidenceOf(scoreOf(p))).toBeCloseTo(Math.max(0, 1 - spread / even), 9);
        expect(confidenceOf(scoreOf(p))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is the sum of level times probability', () => {
    expect(scoreOf([0.1, 0.2, 0.7]).get('score')).toBeCloseTo(1.6, 12);
  });

  it.each([
    [[0.5, 0, 0.5], 0],
    [[0.5, 0.5], 0],
    [[0, 0, 1, 0], 1],
    [[0.25, 0.25, 0.25, 0.25], 0],
  ])('of %j has confidence %d', (p, confidence) => {
    expect(confidenceOf(scoreOf(p))).toBe(confidence);
  });

  it('has its fields in the documented order, and the descriptions as sent', () => {
    const asked: Question = {
      ...question('score', []),
      options: [
        { key: '0', description: 'low' },
        { key: '1', description: null },
        {
          key: '2',
          description: new Map([
            ['2', ['x']],
            ['1', ['y']],
          ]),
        },
      ],
    };
    expect(stringifyOrderedJson(buildAnswer(asked, [0, 0, 1]))).toBe(
      '{"type":"score","score":2,"legend":{"0":"low","1":null,"2":{"2":["x"],"1":["y"]}},' +
        '"probabilities":{"0":0,"1":0,"2":1},"confidence":1}',
    );
  });
});

describe('a noul', () => {
  it('is the probability of yes and nothing else', () => {
    expect(stringifyOrderedJson(buildAnswer(question('noul', ['true', 'false']), [0.3, 0.7]))).toBe(
      '{"type":"noul","noul":0.3}',
    );
  });
});

describe('probabilities', () => {
  const sumOf = (p: readonly number[]) => p.reduce((sum, value) => sum + value, 0);

  it('from logprobs sum to 1 within 1e-9 and keep their ratios', () => {
    const logprobs = fc.array(fc.double({ min: -9_999, max: 0, noNaN: true }), {
      minLength: 2,
      maxLength: 255,
    });
    fc.assert(
      fc.property(logprobs, (drawn) => {
        const p = normaliseLogprobs(drawn);
        expect(Math.abs(sumOf(p) - 1)).toBeLessThan(1e-9);
        const highest = Math.max(...drawn);
        const ratio = (p[0] as number) / (p[drawn.indexOf(highest)] as number);
        expect(ratio).toBeCloseTo(Math.exp((drawn[0] as number) - highest), 12);
      }),
    );
  });

  it('pass unchanged within 1e-9', () => {
    const probabilities = [0.3, 0.7 + 9e-10];
    expect(normaliseProbabilities(probabilities)).toEqual(probabilities);
  });

  it('are normalised within 1e-3', () => {
    fc.assert(
      fc.property(distribution(255), fc.double({ min: -0.00099, max: 0.00099, noNaN: true }), (p, off) => {
        const normalised = normaliseProbabilities(p.map((value) => value * (1 + off)));
        expect(Math.abs(sumOf(normalised) - 1)).toBeLessThan(1e-9);
      }),
    );
  });

  it.each([
    [[0.5, 0.5011]],
    [[0.5, 0.4989]],
    [[1.2, -0.2]],
    [[Number.NaN, 1]],
    [[Number.POSITIVE_INFINITY, 0]],
    [['0.5', 0.5]],
    [[null, 1]],
    [[undefined, 1]],
  ])('are refused as %j', (values) => {
    expect(() => normaliseProbabilities(values)).toThrow(expect.objectContaining({ kind: 'unreadable' }));
  });
});
