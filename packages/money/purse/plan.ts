import type { Budget } from '@errand/platform';
import type { Hold, Purse } from './purse.ts';

/** What a request asks of a purse. */
export interface Ask {
  /** The rate windows that count the request, by their attributes, each with its limit. */
  windows: readonly { name: string; limit: number }[];
  /** Whether the request needs something to be available, and what is to be set aside for it. */
  money?: Money;
}

export interface Money {
  /** Whether the account's balance pays. Otherwise only the budget does. */
  fromBalance: boolean;
  budget?: { name: string; limit: Budget['amountNanoEuro'] };
  /** What the work may cost at most. 0 if there is nothing to set aside. */
  mostNanoEuro: number;
  /** What to set aside if less than the most is there; undefined if that does not pay for the work. */
  within(thereNanoEuro: number): Promise<number | undefined>;
  /** The id of the hold, and how long it lasts. */
  id: string;
  untilSeconds: number;
}

/** `limit` is that of the window that is full. */
export type Outcome =
  | { kind: 'in'; nanoEuro: number; hold?: Hold }
  | { kind: 'rate'; limit: number }
  | { kind: 'credits' | 'budget' };

/** The changes of a purse that let requests in. */
export interface Plan {
  outcomes: Outcome[];
  /** By the attribute of the window: how many requests it counts more, and how many it may have. */
  counts: Map<string, { added: number; limit: number }>;
  takenNanoEuro: number;
  /** By the attribute of the budget. */
  budgets: Map<string, { takenNanoEuro: number; limit: number }>;
  holds: Map<string, Hold>;
  /** Whether a request asks for credits, and no more than that. */
  needsCredits: boolean;
}

/**
 * Decides on requests in their order, by what the purse has. Without a purse everything is taken to be there: the
 * conditions of the write tell.
 */
export async function planEntry(purse: Purse | undefined, asks: readonly Ask[]): Promise<Plan> {
  const plan: Plan = {
    outcomes: [],
    counts: new Map(),
    takenNanoEuro: 0,
    budgets: new Map(),
    holds: new Map(),
    needsCredits: false,
  };
  for (const ask of asks) plan.outcomes.push(await decide(plan, purse, ask));
  return plan;
}

async function decide(plan: Plan, purse: Purse | undefined, ask: Ask): Promise<Outcome> {
  const full = ask.windows.find(
    ({ name, limit }) => (purse?.windows.get(name) ?? 0) + (plan.counts.get(name)?.added ?? 0) >= limit,
  );
  if (full) return { kind: 'rate', limit: full.limit };
  for (const { name, limit } of ask.windows)
    plan.counts.set(name, { added: (plan.counts.get(name)?.added ?? 0) + 1, limit });
  return ask.money ? await takeMoney(plan, purse, ask.money) : { kind: 'in', nanoEuro: 0 };
}

async function takeMoney(plan: Plan, purse: Purse | undefined, money: Money): Promise<Outcome> {
  const { fromBalance, budget, mostNanoEuro } = money;
  const credits = fromBalance && purse ? purse.availableNanoEuro - plan.takenNanoEuro : Infinity;
  const taken = budget ? (plan.budgets.get(budget.name)?.takenNanoEuro ?? 0) : 0;
  const left = budget ? budget.limit - (purse?.budgets.get(budget.name) ?? 0) - taken : Infinity;
  const there = Math.min(credits, left);
  const short: Outcome = { kind: credits <= left ? 'credits' : 'budget' };
  if (there <= 0) return short;
  const nanoEuro = mostNanoEuro <= there ? mostNanoEuro : await money.within(there);
  if (nanoEuro === undefined) return short;
  if (fromBalance) {
    plan.needsCredits = true;
    plan.takenNanoEuro += nanoEuro;
  }
  if (budget) plan.budgets.set(budget.name, { takenNanoEuro: taken + nanoEuro, limit: budget.limit });
  if (nanoEuro === 0) return { kind: 'in', nanoEuro };
  const hold = toHold(money, nanoEuro);
  plan.holds.set(money.id, hold);
  return { kind: 'in', nanoEuro, hold };
}

const toHold = ({ fromBalance, budget, untilSeconds }: Money, nanoEuro: number): Hold => ({
  untilSeconds,
  nanoEuro: fromBalance ? nanoEuro : 0,
  budget: budget && { name: budget.name, nanoEuro },
});
