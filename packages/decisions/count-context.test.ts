import { countTokens } from '@errand/models';
import { limits } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { checkContext, countUpTo, textsOf } from './count-context.ts';
import { requestOf } from './test-support/models.ts';

const words = (count: number) => Array<string>(count).fill('word').join(' ');
const isTooLong = (texts: string[], limit: number) =>
  checkContext(texts, limit).then(
    () => false,
    (error: { code: string }) => error.code === 'context_length_exceeded',
  );

describe('the context', () => {
  it.each([16_384, 100_000])('is counted exactly over %d words, piece by piece', async (count) => {
    const text = words(count);
    expect(await countUpTo([text], Number.MAX_SAFE_INTEGER)).toBe(await countTokens(text));
  });

  it('accepts exactly as many tokens as the limit, and not one more', async () => {
    expect(await isTooLong([words(16_383), 'word'], 16_384)).toBe(false);
    expect(await isTooLong([words(16_384), 'word'], 16_384)).toBe(true);
  });

  it('accepts any text that has no more bytes than the limit has tokens', async () => {
    expect(await isTooLong(['\u0001'.repeat(5_000), 'é'.repeat(2_000)], 9_000)).toBe(false);
  });

  it('stops counting soon for 4 MB of any text', async () => {
    for (const text of [words(800_000), ' '.repeat(4_000_000), '😀'.repeat(1_000_000), 'a'.repeat(4_000_000)])
      expect(await isTooLong([text], limits.decisionContextTokens)).toBe(true);
  });

  it('does not cut a character in two', async () => {
    const text = `a${'😀'.repeat(20_000)}`;
    expect(await countUpTo([text], Number.MAX_SAFE_INTEGER)).toBeLessThanOrEqual(
      (await countTokens(text)) + 4,
    );
  });

  it('is the state, the instructions or ids, and the descriptions or their replacements', () => {
    const request = requestOf({
      state: { b: 1 },
      questions: {
        late: { type: 'noul', criteria: { false: 'in time' } },
        kind: { type: 'choice', instructions: 'Which?', criteria: { x: null, y: 'why' } },
        level: { type: 'score', instructions: ['a'], criteria: [null, { c: 2 }] },
      },
    });
    expect(textsOf(request)).toEqual([
      '{"b":1}',
      'late',
      'yes',
      'in time',
      'Which?',
      'x',
      'why',
      '["a"]',
      '0',
      '{"c":2}',
    ]);
  });
});
