import { expect, test } from 'vitest';
import { readUsage } from './usage.ts';

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
