import type { Item } from '@errand/platform';

/**
 * An account's purse, in one item: the balance, the part of it that is available, the requests of the rate windows,
 * what was spent of the keys' budgets, and the holds. An organisation has a purse for its ceiling. Each window,
 * budget and hold has an attribute of its own with one of these prefixes.
 */
export const attributes = {
  balance: 'balanceNanoEuro',
  /** The balance without what is on hold. Absent before the first reservation: all of the balance is available. */
  available: 'availableNanoEuro',
  /** The credits that were added last. */
  lastCredit: 'lastCredit',
  window: 'window:',
  budget: 'budget:',
  /** Short, because every write of a busy account pays for the names of its holds. */
  hold: 'h:',
} as const;

/** An amount that a running call may cost at most. The hold ends by itself if nobody renews it. */
export interface Hold {
  untilSeconds: number;
  /** What was taken from the available amount; 0 if an organisation pays. */
  nanoEuro: number;
  /** What counts as spent of a budget while the hold lasts: the budget's attribute and the amount. */
  budget?: BudgetHold;
}

interface BudgetHold {
  name: string;
  nanoEuro: number;
}

export interface Purse {
  balanceNanoEuro: number;
  availableNanoEuro: number;
  /** Requests by the attribute of their window. */
  windows: ReadonlyMap<string, number>;
  /** What was spent or is on hold in nano-euro, by the attribute of the budget and its period. */
  budgets: ReadonlyMap<string, number>;
  holds: ReadonlyMap<string, Hold>;
  /** Absent on purses of earlier releases until credits are added. */
  lastCredit?: LastCredit;
}

export interface LastCredit {
  /** The id of its ledger entry. */
  id: string;
  nanoEuro: number;
}

/** The attribute of a window that begins at a time: of the account or, if one is named, of a key. */
export const windowAttribute = (startSeconds: number, keyId?: string): string =>
  `${attributes.window}${startSeconds}${keyId === undefined ? '' : `:${keyId}`}`;

/** The attributes of windows that began before a time. */
export function endedWindows({ windows }: Pick<Purse, 'windows'>, startSeconds: number): string[] {
  const startOf = (name: string) => Number(name.slice(attributes.window.length).split(':')[0]);
  return [...windows.keys()].filter((name) => startOf(name) < startSeconds);
}

export const holdAttribute = (id: string): string => attributes.hold + id;

/** Holds are texts: hundreds of them are read with every request of a busy account. */
export const writeHold = ({ untilSeconds, nanoEuro, budget }: Hold): string =>
  [untilSeconds, nanoEuro, ...(budget ? [budget.nanoEuro, budget.name] : [])].join(' ');

export function readHold(text: string): Hold {
  const [untilSeconds, nanoEuro, budgetNanoEuro, ...name] = text.split(' ');
  return {
    untilSeconds: Number(untilSeconds),
    nanoEuro: Number(nanoEuro),
    ...(budgetNanoEuro !== undefined && {
      budget: { name: name.join(' '), nanoEuro: Number(budgetNanoEuro) },
    }),
  };
}

export function readPurse(item: Item | undefined): Purse {
  const balanceNanoEuro = Number(item?.[attributes.balance] ?? 0);
  const windows = new Map<string, number>();
  const budgets = new Map<string, number>();
  const holds = new Map<string, Hold>();
  for (const [name, value] of Object.entries(item ?? {})) {
    if (name.startsWith(attributes.hold))
      holds.set(name.slice(attributes.hold.length), readHold(String(value)));
    else if (name.startsWith(attributes.window)) windows.set(name, Number(value));
    else if (name.startsWith(attributes.budget)) budgets.set(name, Number(value));
  }
  const availableNanoEuro = Number(item?.[attributes.available] ?? balanceNanoEuro);
  const lastCredit = item?.[attributes.lastCredit] as LastCredit | undefined;
  return {
    balanceNanoEuro,
    availableNanoEuro,
    windows,
    budgets,
    holds,
    lastCredit,
  };
}

/**
 * The amount by which too much is available: what an earlier release has charged since the first reservation. That
 * release changes the balance alone.
 */
export function driftOf({ balanceNanoEuro, availableNanoEuro, holds }: Purse): number {
  let heldNanoEuro = 0;
  for (const { nanoEuro } of holds.values()) heldNanoEuro += nanoEuro;
  return availableNanoEuro + heldNanoEuro - balanceNanoEuro;
}
