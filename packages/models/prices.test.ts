import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCatalogue } from './parse-catalogue.ts';
import { audioCost, completionCost, priceAt } from './prices.ts';

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
        const cost = completionCost(
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
  expect(completionCost({ inputPerMillionTokens: 0.0005 }, usage)).toBe(1);
  expect(completionCost({ inputPerMillionTokens: 0.000499999 }, usage)).toBe(0);
});

test('input that is read from a cache or written into it costs as much as other input where it has no price', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 3, outputTokens: 0 };
  expect(completionCost({ inputPerMillionTokens: 1 }, usage)).toBe(10_000);
});

test('seconds of audio round up', () => {
  const ears = { perSecond: 0.0001 };
  expect([0, 0.01, 1, 1.2, 3600].map((seconds) => audioCost(ears, seconds))).toEqual([
    0, 100_000, 100_000, 200_000, 360_000_000,
  ]);
});

const pricesOf = (price: unknown) => {
  const upstream = { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' };
  const [model] = parseCatalogue(
    { models: [{ id: 'ears', kind: 'speech', upstream, price }] },
    () => undefined,
  ).models;
  return (time: string) => priceAt(model ?? { prices: [{}] }, Date.parse(time)).perSecond;
};

test('a price holds from midnight UTC of its day until the next one does', () => {
  const costs = pricesOf([
    { from: '2027-03-01', perSecond: 3 },
    { perSecond: 1 },
    { from: '2027-01-01', perSecond: 2 },
  ]);
  const times = ['1970-01-01', '2026-12-31T23:59:59.999Z', '2027-01-01', '2027-02-28T23:59:59.999Z'];
  expect(times.map(costs)).toEqual([1, 1, 2, 2]);
  expect(['2027-03-01T00:00:00Z', '2999-01-01'].map(costs)).toEqual([3, 3]);
});

test.each([
  [{ from: '2027-01-01', perSecond: 1 }],
  [[{ from: '2027-01-01', perSecond: 1 }]],
  [
    [
      { from: '2027-02-01', perSecond: 2 },
      { from: '2027-01-01', perSecond: 1 },
    ],
  ],
])('the earliest price of %j holds before its own day too', (price) => {
  expect(['1970-01-01', '2027-01-01'].map(pricesOf(price))).toEqual([1, 1]);
});
