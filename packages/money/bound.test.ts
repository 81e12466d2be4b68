import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundCompletion } from './bound.ts';
import { tokensCost } from './charge.ts';

const prices = fc.record({
  inputPerMillionTokens: fc.integer({ min: 0, max: 20_000 }).map((n) => n / 1000),
  outputPerMillionTokens: fc.integer({ min: 0, max: 80_000 }).map((n) => n / 1000),
  cacheWritePerMillionTokens: fc.integer({ min: 0, max: 25_000 }).map((n) => n / 1000),
});

const works = fc.record({
  counted: fc.integer({ min: 1, max: 100_000 }),
  extraBytes: fc.integer({ min: 0, max: 400_000 }),
  outputTokens: fc.integer({ min: 1, max: 20_000 }),
  choices: fc.integer({ min: 1, max: 8 }),
});

test('a reservation pays for the input and the stated output; one more token would cost more', async () => {
  await fc.assert(
    fc.asyncProperty(
      prices,
      works,
      fc.double({ min: 0, max: 1.2, noNaN: true }),
      async (price, work, share) => {
        const { counted, extraBytes, outputTokens, choices } = work;
        const bound = boundCompletion(price, {
          mostInputTokens: counted + extraBytes,
          countInput: async () => counted,
          outputTokens,
          choices,
        });
        const there = Math.floor(bound.mostNanoEuro * share);
        const held = there >= bound.mostNanoEuro ? bound.mostNanoEuro : await bound.within(there);
        if (held === undefined) return;
        expect(held).toBeLessThanOrEqual(Math.max(there, bound.mostNanoEuro));
        const each = bound.outputTokensFor(held) ?? outputTokens;
        expect(each).toBeGreaterThanOrEqual(held > 0 ? 1 : 0);
        const usage = { inputTokens: counted, cachedInputTokens: 0, outputTokens: each * choices };
        expect(tokensCost(price, usage)).toBeLessThanOrEqual(held);
        if (each < outputTokens) expect(bound.costOf((each + 1) * choices)).toBeGreaterThan(held);
      },
    ),
  );
});

test('work that has a price sets something aside, however little it may cost', () => {
  const work = { mostInputTokens: 20, countInput: async () => 5, outputTokens: 10 };
  expect(boundCompletion({ inputPerMillionTokens: 0.000_01 }, work).mostNanoEuro).toBe(1);
  expect(boundCompletion({ cachedInputPerMillionTokens: 0.000_01 }, work).mostNanoEuro).toBe(1);
  expect(boundCompletion({}, work).mostNanoEuro).toBe(0);
});

test('tokens are counted only if the bytes could cost more than the account has', async () => {
  let counts = 0;
  const countInput = async () => {
    counts++;
    return 100;
  };
  const bound = boundCompletion(
    { inputPerMillionTokens: 1_000, outputPerMillionTokens: 1_000 },
    { mostInputTokens: 400, countInput, outputTokens: 50 },
  );
  expect(bound.mostNanoEuro).toBe(450_000_000);
  expect(bound.outputTokensFor(450_000_000)).toBeUndefined();
  expect(counts).toBe(0);
  expect(await bound.within(262_000_000)).toBe(262_000_000);
  expect(counts).toBe(1);
  expect(bound.outputTokensFor(262_000_000)).toBe(30);
  expect(await bound.within(232_000_000)).toBeUndefined();
});

test('an account that could not even pay for a quarter of the bytes is refused without a count', async () => {
  let counts = 0;
  const bound = boundCompletion(
    { inputPerMillionTokens: 1_000, outputPerMillionTokens: 0 },
    { mostInputTokens: 4_000, countInput: async () => ++counts, outputTokens: 0 },
  );
  expect(await bound.within(1)).toBeUndefined();
  expect(counts).toBe(0);
  expect(await bound.within(1_000_000_000)).toBe(1_000_000_000);
  expect(counts).toBe(1);
});
