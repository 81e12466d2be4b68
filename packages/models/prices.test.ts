import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audioCost, completionCost } from './prices.ts';

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
      price,
      price,
      price,
      tokens,
      tokens,
      tokens,
      (input, cached, output, fresh, hits, written) => {
        const cost = completionCost(
          {
            price: {
              inputPerMillionTokens: input.euro,
              cachedInputPerMillionTokens: cached.euro,
              outputPerMillionTokens: output.euro,
            },
          },
          { inputTokens: fresh + hits, cachedInputTokens: hits, outputTokens: written },
        );
        const exact = BigInt(fresh) * input.nano + BigInt(hits) * cached.nano + BigInt(written) * output.nano;
        const remainder = exact % 1_000_000n;
        expect(BigInt(cost)).toBe(exact / 1_000_000n + (remainder * 2n >= 1_000_000n ? 1n : 0n));
      },
    ),
  );
});

test('half a nano-euro is rounded up, less is not', () => {
  const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 0 };
  expect(completionCost({ price: { inputPerMillionTokens: 0.0005 } }, usage)).toBe(1);
  expect(completionCost({ price: { inputPerMillionTokens: 0.000499999 } }, usage)).toBe(0);
});

test('cached input costs as much as other input where it has no price', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 0 };
  expect(completionCost({ price: { inputPerMillionTokens: 1 } }, usage)).toBe(10_000);
});

test('seconds of audio round up', () => {
  const ears = { price: { perSecond: 0.0001 } };
  expect([0, 0.01, 1, 1.2, 3600].map((seconds) => audioCost(ears, seconds))).toEqual([
    0, 100_000, 100_000, 200_000, 360_000_000,
  ]);
});
