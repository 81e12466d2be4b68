import { describe, expect, test } from 'vitest';
import { nameFields } from './field-words.ts';
import { costOf, formatEuro } from './money.ts';
import { formatBytes, formatEmissions, formatEnergy, formatShare } from './quantities.ts';
import { formatAge, formatDuration, formatUtcTime } from './time.ts';

test.each([
  [0, '€0'],
  ['4.98731', '€4.99'],
  [1234.5, '€1,234.50'],
  [0.5, '€0.50'],
  [0.00778, '€0.00778'],
  [0.0000097, '€0.0000097'],
  [-0.25, '−€0.25'],
])('%s euros read as %s', (amount, words) => expect(formatEuro(amount)).toBe(words));

describe('the cost of a completion', () => {
  const price = { inputPerMillionTokens: 1, cachedInputPerMillionTokens: 0.5, outputPerMillionTokens: 2 };

  test('counts cached input at its own price', () => {
    expect(costOf({ input: 1000, cachedInput: 400, cacheWrite: 0, output: 100 }, price)).toBeCloseTo(
      0.001,
      12,
    );
  });

  test('counts writing to the cache at its own price, or at that of input', () => {
    const usage = { input: 1000, cachedInput: 0, cacheWrite: 1000, output: 0 };
    expect(costOf(usage, price)).toBeCloseTo(0.001, 12);
    expect(costOf(usage, { ...price, cacheWritePerMillionTokens: 3 })).toBeCloseTo(0.003, 12);
  });

  test('is not known without prices', () => {
    expect(
      costOf({ input: 1, cachedInput: 0, cacheWrite: 0, output: 1 }, { perSecond: 1 } as object),
    ).toBeUndefined();
  });
});

test('quantities are shown in a fitting unit', () => {
  expect(formatEnergy(3_600_000)).toBe('1 Wh');
  expect(formatEnergy(105_000)).toBe('29.2 mWh');
  expect(formatEmissions(7379)).toBe('7.38 mg CO₂e');
  expect(formatBytes(50_000_000)).toBe('50 MB');
  expect(formatShare(0.925)).toBe('93 %');
  expect(formatShare(0.012)).toBe('1.2 %');
});

test('times are shown in their largest unit', () => {
  expect(formatAge('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T03:10:00.000Z'))).toBe('3 h ago');
  expect(formatDuration(522)).toBe('522 ms');
  expect(formatDuration(61_000)).toBe('1 min 1 s');
});

test('a time of the service’s days says that it is in UTC', () => {
  expect(formatUtcTime('2026-02-01T00:00:00.000Z')).toBe('1 Feb 2026, 00:00 UTC');
});

test('a refusal keeps the names of fields that have no words, also those that objects have', () => {
  expect(nameFields('constructor: is not known')).toBe('constructor: is not known');
});
