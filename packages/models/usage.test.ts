import { expect, test } from 'vitest';
import { formatUsage, readUsage } from './usage.ts';

test.each([
  [{ prompt_tokens: 3, completion_tokens: 2 }, 3, 2],
  [{ prompt_tokens: 3, completion_tokens: null, total_tokens: 5 }, 3, 2],
  [{ prompt_tokens: 3, total_tokens: 5 }, 3, 2],
  [{ prompt_tokens: 1, completion_tokens: 0 }, 1, 0],
  [{ prompt_tokens: 1, completion_tokens: 100_000_000 }, 1, 100_000_000],
])('%j says %i and %i tokens', (value, inputTokens, outputTokens) => {
  expect(readUsage(value)).toEqual({ inputTokens, outputTokens, cachedInputTokens: 0 });
});

test.each([
  [undefined],
  [null],
  [7],
  [{}],
  [{ prompt_tokens: null }],
  [{ prompt_tokens: -1 }],
  [{ prompt_tokens: 3 }],
  [{ prompt_tokens: 3, completion_tokens: null }],
  [{ prompt_tokens: 100_000_001, completion_tokens: 1 }],
  [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  [{ prompt_tokens: 0, completion_tokens: 7 }],
  [{ prompt_tokens: 1.5 }],
  [{ prompt_tokens: 1e14, completion_tokens: 1 }],
  [{ prompt_tokens: 1, completion_tokens: 1e14 }],
  [{ prompt_tokens: 1, completion_tokens: '7' }],
])('%j says nothing that could be charged', (value) => {
  expect(readUsage(value)).toBeUndefined();
});

test('cached tokens are a part of the input', () => {
  const cached = (count: number) =>
    readUsage({ prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: count } })
      ?.cachedInputTokens;
  expect([cached(2), cached(9), cached(1e14), cached(-1)]).toEqual([2, 3, 0, 0]);
});

test.each([
  ['DeepSeek', { prompt_cache_hit_tokens: 2, prompt_cache_miss_tokens: 1 }],
  ['Moonshot', { cached_tokens: 2 }],
  ['Anthropic', { cache_read_input_tokens: 2 }],
])('cached tokens are read by the name of %s', (_provider, more) => {
  expect(readUsage({ prompt_tokens: 3, completion_tokens: 2, ...more })?.cachedInputTokens).toBe(2);
});

test.each([['cache_write_tokens'], ['cache_creation_tokens']])(
  '%s count as input that was written to the cache, not as input that was read from it',
  (name) => {
    const usage = (written: number) =>
      readUsage({
        prompt_tokens: 9,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 4, [name]: written },
      });
    expect([3, 9, 0].map((written) => usage(written)?.cacheWriteTokens)).toEqual([3, 5, undefined]);
    expect(formatUsage(usage(3) ?? { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 })).toMatchObject({
      prompt_tokens: 9,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
    });
  },
);

const reasoned = (reasoning: number) => ({ completion_tokens_details: { reasoning_tokens: reasoning } });

test.each([
  ['in completion_tokens (OpenAI)', { total_tokens: 18, ...reasoned(6) }, 8],
  ['beside completion_tokens (xAI)', { total_tokens: 24, ...reasoned(6) }, 14],
  ['partly beside completion_tokens', { total_tokens: 21, ...reasoned(6) }, 11],
  ['in total_tokens alone (Gemini)', { total_tokens: 24 }, 14],
])('reasoning that is reported %s is output, counted once', (_where, more, outputTokens) => {
  const usage = readUsage({ prompt_tokens: 10, completion_tokens: 8, ...more });
  expect(usage).toMatchObject({ inputTokens: 10, outputTokens });
  expect(usage && formatUsage(usage)).toMatchObject({ total_tokens: 10 + outputTokens });
});

test.each([
  ['is less than its parts', { total_tokens: 9 }],
  ['cannot be a number of tokens', { total_tokens: 1e14 }],
  ['has more than the reasoning explains', { total_tokens: 25, ...reasoned(6) }],
  [
    'counts cached tokens that prompt_tokens leave out',
    { total_tokens: 27, prompt_tokens_details: { cached_tokens: 9 } },
  ],
])('a total that %s changes nothing', (_what, more) => {
  expect(readUsage({ prompt_tokens: 10, completion_tokens: 8, ...more })?.outputTokens).toBe(8);
});

test('a picture costs the input tokens that the upstream counts it as', () => {
  const usage = { prompt_tokens: 800, completion_tokens: 2, prompt_tokens_details: { image_tokens: 765 } };
  expect(readUsage(usage)).toEqual({ inputTokens: 800, cachedInputTokens: 0, outputTokens: 2 });
});

test('what was written to the cache is read by the name of Anthropic, too', () => {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 2,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 4,
  };
  expect(readUsage(usage)).toMatchObject({ inputTokens: 9, cachedInputTokens: 4, cacheWriteTokens: 3 });
});
