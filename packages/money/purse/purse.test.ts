import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributes, driftOf, type Hold, holdAttribute, readHold, readPurse, writeHold } from './purse.ts';

const amounts = fc.integer({ min: 0, max: 9e15 });
const holds: fc.Arbitrary<Hold> = fc.record(
  {
    untilSeconds: fc.integer({ min: 0, max: 4e9 }),
    nanoEuro: amounts,
    budget: fc.record({ name: fc.string().map((text) => attributes.budget + text), nanoEuro: amounts }),
  },
  { requiredKeys: ['untilSeconds', 'nanoEuro'] },
);

test('a hold that is written is read as it was, whatever its budget is called', () => {
  fc.assert(
    fc.property(holds, (hold) => {
      expect(readHold(writeHold(hold))).toEqual(hold);
    }),
  );
});

test('one hold has one text: a settlement compares texts', () => {
  fc.assert(
    fc.property(holds, holds, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(writeHold(one) === writeHold(other)).toBe(same);
    }),
  );
});

describe('a purse', () => {
  test('of an earlier release has all of its balance available', () => {
    const purse = readPurse({ pk: 'a', sk: 'b', balanceNanoEuro: -5 });
    expect(purse).toMatchObject({ balanceNanoEuro: -5, availableNanoEuro: -5 });
    expect(driftOf(purse)).toBe(0);
  });

  test('that does not exist has nothing', () => {
    expect(readPurse(undefined)).toMatchObject({ balanceNanoEuro: 0, availableNanoEuro: 0 });
  });

  test('tells its windows, budgets and holds apart', () => {
    const hold: Hold = { untilSeconds: 7, nanoEuro: 3, budget: { name: 'budget:k|total', nanoEuro: 3 } };
    const purse = readPurse({
      balanceNanoEuro: 10,
      availableNanoEuro: 7,
      'window:900': 4,
      'window:900:k': 2,
      'budget:k|total': 3,
      [holdAttribute('x')]: writeHold(hold),
    });
    expect([...purse.windows]).toEqual([
      ['window:900', 4],
      ['window:900:k', 2],
    ]);
    expect([...purse.budgets]).toEqual([['budget:k|total', 3]]);
    expect([...purse.holds]).toEqual([['x', hold]]);
    expect(driftOf(purse)).toBe(0);
  });

  test.each([
    ['charged', 6, 4],
    ['added', 14, -4],
  ])('shows how much a release that knows only the balance has %s', (_, balanceNanoEuro, drift) => {
    const item = { balanceNanoEuro, availableNanoEuro: 7, [holdAttribute('x')]: '9 3' };
    expect(driftOf(readPurse(item))).toBe(drift);
  });
});
