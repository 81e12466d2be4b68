import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Ask, type Money, planEntry } from './plan.ts';
import { type Purse, readPurse } from './purse.ts';

let ids = 0;
const budgetName = 'budget:k|total';
const windowName = 'window:0';

const costing = (mostNanoEuro: number, inputNanoEuro = 0, more: Partial<Money> = {}): Ask => ({
  windows: [],
  money: {
    fromBalance: true,
    mostNanoEuro,
    within: async (there) => (there < inputNanoEuro ? undefined : Math.min(there, mostNanoEuro)),
    id: `hold_${ids++}`,
    untilSeconds: 60,
    ...more,
  },
});

const purseWith = (availableNanoEuro: number, more: Partial<Purse> = {}): Purse => ({
  ...readPurse({ balanceNanoEuro: availableNanoEuro }),
  ...more,
});

const amountsOf = async (purse: Purse | undefined, asks: Ask[]) =>
  (await planEntry(purse, asks)).outcomes.map((outcome) =>
    outcome.kind === 'in' ? outcome.nanoEuro : outcome.kind,
  );

describe('a plan', () => {
  test('gives requests what they may cost in order; the first request that finds less gets the rest', async () => {
    expect(
      await amountsOf(
        purseWith(250),
        [100, 100, 100, 100].map((most) => costing(most)),
      ),
    ).toEqual([100, 100, 50, 'credits']);
  });

  test('passes over a request whose input is not paid for by what is left', async () => {
    expect(await amountsOf(purseWith(150), [costing(100), costing(100, 60), costing(40)])).toEqual([
      100,
      'credits',
      40,
    ]);
  });

  test('assumes enough money while nothing is known of the purse', async () => {
    const plan = await planEntry(undefined, [costing(7), costing(5)]);
    expect([plan.takenNanoEuro, plan.holds.size, plan.needsCredits]).toEqual([12, 2, true]);
  });

  test('refuses work that costs nothing only if the account has nothing', async () => {
    expect(await amountsOf(purseWith(1), [costing(0)])).toEqual([0]);
    expect(await amountsOf(purseWith(0), [costing(0)])).toEqual(['credits']);
    expect(await amountsOf(purseWith(-5), [costing(0)])).toEqual(['credits']);
  });

  test('says whether the credits or the budget are short, the credits if both are', async () => {
    const within = (limit: number) => ({ budget: { name: budgetName, limit } });
    const spent = { budgets: new Map([[budgetName, 60]]) };
    const asks = [costing(50, 50, within(100)), costing(50, 50, within(200))];
    expect(await amountsOf(purseWith(1_000, spent), asks)).toEqual(['budget', 50]);
    expect(await amountsOf(purseWith(30, spent), [costing(50, 50, within(100))])).toEqual(['credits']);
    expect(await amountsOf(purseWith(0), [costing(50, 0, within(0))])).toEqual(['credits']);
  });

  test('takes nothing from the balance where an organisation pays, and as much from the budget', async () => {
    const ask = costing(50, 0, { fromBalance: false, budget: { name: budgetName, limit: 30 } });
    const plan = await planEntry(purseWith(0), [ask]);
    expect(plan).toMatchObject({ takenNanoEuro: 0, needsCredits: false });
    expect([...plan.holds.values()]).toEqual([
      { untilSeconds: 60, nanoEuro: 0, budget: { name: budgetName, nanoEuro: 30 } },
    ]);
    expect(plan.budgets.get(budgetName)).toEqual({ takenNanoEuro: 30, limit: 30 });
  });

  test('counts requests that it refuses for lack of credits, but not those that it refuses for the rate', async () => {
    const ask = { ...costing(5), windows: [{ name: windowName, limit: 2 }] };
    const full = await planEntry(purseWith(0, { windows: new Map([[windowName, 1]]) }), [ask, ask]);
    expect(full.outcomes.map(({ kind }) => kind)).toEqual(['credits', 'rate']);
    expect(full.counts.get(windowName)).toEqual({ added: 1, limit: 2 });
  });

  test('never takes more than the purse has, and leaves no request out that the purse could pay', async () => {
    const asks = fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -50, max: 500 }), asks, async (available, costs) => {
        const plan = await planEntry(
          purseWith(available),
          costs.map(([most, input]) => costing(most, Math.min(input, most))),
        );
        expect(plan.takenNanoEuro).toBeLessThanOrEqual(Math.max(0, available));
        let left = available;
        for (const [index, { kind }] of plan.outcomes.entries()) {
          const [most = 0, input = 0] = costs[index] ?? [];
          expect(kind).toBe(left > 0 && left >= Math.min(input, most) ? 'in' : 'credits');
          const outcome = plan.outcomes[index];
          if (outcome?.kind === 'in') left -= outcome.nanoEuro;
        }
      }),
    );
  });
});
