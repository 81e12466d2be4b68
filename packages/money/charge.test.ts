import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secondsCost, tokensCost } from './charge.ts';

/** A price in euro as people write it, and the same price in nano-euro. */
const price = fc
  .tuple(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 0, max: 999_999_999 }))
  .map(([whole, fraction]) => {
    const text = `${whole}.${String(fraction).padStart(9, '0')}`;
    return { euro: Number(text), nano: BigInt(whole) * 1_000_000_000n + BigInt(fraction) };
  });
const tokens = fc.integer({ min: 0, max: 10_000_000 });

test('an amount is the exact sum, rounded half up once', () => {
  fc.assert(
    fc.property(
      fc.record({ fresh: price, cached: price, stored: price, output: price }),
      fc.record({ fresh: tokens, cached: tokens, stored: tokens, output: tokens }),
      (costs, counts) => {
        const cost = tokensCost(
          {
            inputPerMillionTokens: costs.fresh.euro,
            cachedInputPerMillionTokens: costs.cached.euro,
            cacheWritePerMillionTokens: costs.stored.euro,
            outputPerMillionTokens: costs.output.euro,
          },
          {
            inputTokens: counts.fresh + counts.cached + counts.stored,
            cachedInputTokens: counts.cached,
            cacheWriteTokens: counts.stored,
            outputTokens: counts.output,
          },
        );
        const exact = (['fresh', 'cached', 'stored', 'output'] as const)
          .map((kind) => BigInt(counts[kind]) * costs[kind].nano)
          .reduce((sum, part) => sum + part);
        const remainder = exact % 1_000_000n;
        expect(BigInt(cost)).toBe(exact / 1_000_000n + (remainder * 2n >= 1_000_000n ? 1n : 0n));
      },
    ),
  );
});

test('half a nano-euro is rounded up, less is not', () => {
  const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 0 };
  expect(tokensCost({ inputPerMillionTokens: 0.0005 }, usage)).toBe(1);
  expect(tokensCost({ inputPerMillionTokens: 0.000499999 }, usage)).toBe(0);
});

test('cached input without a price of its own costs as much as other input', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 3, outputTokens: 0 };
  expect(tokensCost({ inputPerMillionTokens: 1 }, usage)).toBe(10_000);
});

test('seconds of audio round up', () => {
  const ears = { perSecond: 0.0001 };
  expect([0, 0.01, 1, 1.2, 3600].map((seconds) => secondsCost(ears, { seconds }))).toEqual([
    0, 100_000, 100_000, 200_000, 360_000_000,
  ]);
});
