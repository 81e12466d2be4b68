import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatEuro, parseEuro } from './euro.ts';

const nanoEuro = fc.maxSafeInteger();

test('an amount is formatted as a plain decimal without trailing zeros', () => {
  expect(formatEuro(4_987_310_000)).toBe('4.98731');
  expect(formatEuro(5_000_000_000)).toBe('5');
  expect(formatEuro(0)).toBe('0');
  expect(formatEuro(-0)).toBe('0');
  expect(formatEuro(-120_000)).toBe('-0.00012');
  expect(formatEuro(1)).toBe('0.000000001');
});

test('a number that is not a safe integer of nano-euro is not formatted', () => {
  for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    expect(() => formatEuro(amount)).toThrow(RangeError);
});

test('every formatted amount is parsed to the same amount', () => {
  fc.assert(fc.property(nanoEuro, (amount) => parseEuro(formatEuro(amount)) === amount));
});

test('a formatted amount has no exponent and no fraction that ends in zero', () => {
  fc.assert(fc.property(nanoEuro, (amount) => /^-?\d+(\.\d{0,8}[1-9])?$/.test(formatEuro(amount))));
});

test('decimals with up to nine places are parsed', () => {
  expect(parseEuro('5')).toBe(5_000_000_000);
  expect(parseEuro('5.00')).toBe(5_000_000_000);
  expect(parseEuro('-1.5')).toBe(-1_500_000_000);
  expect(parseEuro('0.000000001')).toBe(1);
  expect(Object.is(parseEuro('-0.0'), 0)).toBe(true);
});

test.each([
  '',
  ' 5',
  '5 ',
  '+5',
  '5.',
  '.5',
  '1e3',
  '5,00',
  '0x10',
  '--1',
  '1.0000000001',
  '9007199.254740993',
  'NaN',
  '٥',
  '5\n',
])('%j is no amount', (text) => {
  expect(parseEuro(text)).toBeUndefined();
});
