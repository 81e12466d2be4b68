import { expect, test } from 'vitest';
import { rebuildPurse } from './rebuild.ts';

const purse = {
  pk: 'ACCOUNT#a',
  sk: 'BALANCE',
  balanceNanoEuro: 1,
  availableNanoEuro: 2,
  'budget:key:total': 900,
  'window:0': 3,
  'h:one': '100 40 300 budget:key:total',
  'h:two': '100 60',
};

test('a purse whose calls are in work has the balance of its ledger, less what they hold', () => {
  expect(rebuildPurse(purse, { balanceNanoEuro: 1_000, isOld: false })).toEqual({
    ...purse,
    balanceNanoEuro: 1_000,
    availableNanoEuro: 900,
  });
});

test('a purse whose calls have ended holds nothing, and gives back what they held of a budget', () => {
  const { 'h:one': _, 'h:two': __, ...rest } = purse;
  expect(rebuildPurse(purse, { balanceNanoEuro: 1_000, isOld: true })).toEqual({
    ...rest,
    balanceNanoEuro: 1_000,
    availableNanoEuro: 1_000,
    'budget:key:total': 600,
  });
});
