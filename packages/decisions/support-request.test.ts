import { limits } from '@errand/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textsOf } from './count-context.ts';
import { supportRequests } from './support-request.ts';
import { decisionModel } from './test-support/models.ts';

const model = (contextTokens: number) => decisionModel('http://127.0.0.1:1', 'systemone', { contextTokens });
const claim = (words: number) => ({ text: 'A is five', passage: 'word '.repeat(words) });

describe('requests about claims', () => {
  it('ask one noul question for each claim, with its passage', async () => {
    const [only] = await supportRequests(model(16_384), [{ text: 'A is five', passage: 'A: 5' }]);
    expect(only?.positions).toEqual([0]);
    const [question] = only?.request.questions ?? [];
    expect(question).toMatchObject({ type: 'noul', options: [{ key: 'true' }, { key: 'false' }] });
    expect(textsOf(only!.request).join()).toContain('"passage":"A: 5","statement":"A is five"');
  });

  it('have as many questions as a decision may have', async () => {
    const claims = Array.from({ length: 70 }, () => claim(5));
    const requests = await supportRequests(model(100_000), claims);
    const most = limits.decisionQuestions;
    expect(requests.map(({ positions }) => positions.length)).toEqual([most, most, 70 - 2 * most]);
  });

  it('leave out a claim that is too long for the model, and no other', async () => {
    const requests = await supportRequests(model(4_096), [claim(10), claim(100_000), claim(10)]);
    expect(requests.map(({ positions }) => positions)).toEqual([[0, 2]]);
  });

  it('have each claim that fits once, within the context of the model', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 1_500 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lengths, async (words) => {
        const requests = await supportRequests(model(6_000), words.map(claim));
        expect(requests.flatMap(({ positions }) => positions)).toEqual([...words.keys()]);
        for (const { positions } of requests) {
          const tokens = positions.reduce((sum, position) => sum + words[position]!, 0);
          expect(positions.length === 1 || tokens < 6_000 * 0.6).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});
