import { expect, test } from 'vitest';
import { readEuro, showEuro } from './money.ts';

test.each([
  ['0', 0],
  ['5', 5_000_000_000],
  ['10', 10_000_000_000],
  ['4.98731', 4_987_310_000],
  ['-0.00012', -120_000],
  ['0.000000001', 1],
  ['-1000000.000000001', -1_000_000_000_000_001],
])('%s EUR is read, and shown again', (text, nanoEuro) => {
  expect(readEuro(text)).toBe(nanoEuro);
  expect(showEuro(nanoEuro)).toBe(text);
});

test.each(['', '0,02', '1e-3', '.5', '5.', '0.0000000001', 'NaN', ' 5'])('%j is no amount', (text) => {
  expect(() => readEuro(text)).toThrow(`an amount is ${JSON.stringify(text)}`);
});
