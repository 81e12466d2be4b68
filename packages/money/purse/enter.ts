import { createCombiner, DomainError, perConnection } from '@errand/platform';
import type { MoneyDeps } from '../deps.ts';
import type { ItemKey } from '../store.ts';
import { type Ask, type Outcome, type Plan, planEntry } from './plan.ts';
import type { Purse } from './purse.ts';
import { type Entry, readStoredPurse, writeEntry } from './store.ts';

export interface PurseOwner {
  key: ItemKey;
  /** Absent for an organisation. */
  accountId?: string;
}

/** What became of one request. */
export interface Entered {
  outcome: Outcome;
  /** The purse after the write, or as it was found if nothing was written. */
  purse: Purse;
  /** How many requests of this window were counted after this one. */
  later(window: string): number;
}

interface Entering {
  deps: MoneyDeps;
  owner: PurseOwner;
  ask: Ask;
  how: Keeping;
}

/** How windows, budgets and holds that are over are taken out of a purse. */
interface Keeping {
  /** The attributes of windows and budgets that have ended. */
  ended(purse: Purse): string[];
  /** Ends what dead processes have left. Absent for requests that pay nothing: what is available is no matter of theirs. */
  mend?(found: Purse): Promise<Purse>;
}

const largestGroup = 1_000;
/** Each request has a condition of up to 50 bytes and 4 operators; AWS takes 4 KB and 300 operators. */
const attributesAtOnce = 50;
/** An update may have 4 KB too. The writes that follow remove the rest. */
const removedAtOnce = 100;
/** Each failed write means that another process has let a request in, so some process always makes progress. */
const mostWrites = 40;

const doorOf = perConnection(() => createCombiner(enterInParts, largestGroup));

/** Attributes of windows and budgets that have ended, as last seen, by the purse. The next write removes them. */
const endedOf = perConnection(() => new Map<string, string[]>());

/**
 * Asks a purse to let a request in. Requests of this process that come at once share a write. Costs one write where the
 * purse has what is asked for; a request that is over its rate is not counted.
 */
export const enter = (deps: MoneyDeps, owner: PurseOwner, ask: Ask, how: Keeping) =>
  doorOf(deps)(owner.key.pk, { deps, owner, ask, how });

/** Enters a group in as many writes as the size of a write asks for. */
async function enterInParts(group: readonly Entering[]): Promise<Entered[]> {
  const entered: Entered[] = [];
  let part: Entering[] = [];
  let names = new Set<string>();
  for (const entering of group) {
    const own = attributesOf(entering.ask);
    if (part.length > 0 && new Set([...names, ...own]).size > attributesAtOnce) {
      entered.push(...(await enterTogether(part)));
      [part, names] = [[], new Set()];
    }
    part.push(entering);
    for (const name of own) names.add(name);
  }
  return [...entered, ...(await enterTogether(part))];
}

const attributesOf = ({ windows, money }: Ask): string[] => [
  ...windows.map(({ name }) => name),
  ...(money ? [money.id, ...(money.budget ? [money.budget.name] : [])] : []),
];

async function enterTogether(group: readonly Entering[]): Promise<Entered[]> {
  const [{ deps, owner, how }] = group as [Entering];
  const asks = group.map(({ ask }) => ask);
  const mend = group.find((one) => one.how.mend)?.how.mend ?? (async (found: Purse) => found);
  let purse: Purse | undefined;
  for (let written = 0; written < mostWrites; written++) {
    const plan = await planEntry(purse, asks);
    if (purse && changesNothing(plan)) return toEntered(plan, asks, purse);
    if (!purse && (changesNothing(plan) || asksTooMuch(plan))) {
      purse = await mend(await readStoredPurse(deps, owner.key));
      continue;
    }
    const entry = await writeOnce(deps, owner, plan);
    purse = entry.purse;
    if (entry.done) {
      purse = await mend(purse);
      rememberEnded(deps, owner, how.ended(purse).slice(0, removedAtOnce));
      return toEntered(plan, asks, purse);
    }
    purse = await mend(purse);
  }
  throw new DomainError('store_unavailable');
}

function rememberEnded(deps: MoneyDeps, { key }: PurseOwner, names: string[]): void {
  if (names.length > 0) endedOf(deps).set(key.pk, names);
  else endedOf(deps).delete(key.pk);
}

const changesNothing = ({ counts, holds }: Plan): boolean => counts.size === 0 && holds.size === 0;

/** True if the requests together ask for an amount past the exact integers. A purse never has that much. */
const asksTooMuch = ({ takenNanoEuro, budgets }: Plan): boolean =>
  [takenNanoEuro, ...[...budgets.values()].map((budget) => budget.takenNanoEuro)].some(
    (amount) => !Number.isSafeInteger(amount),
  );

async function writeOnce(deps: MoneyDeps, { key }: PurseOwner, plan: Plan): Promise<Entry> {
  // A request may have waited while its window ended, and clocks go back. The window that the request counts in
  // must not be removed then.
  const ended = (endedOf(deps).get(key.pk) ?? []).filter(
    (name) => !plan.counts.has(name) && !plan.budgets.has(name),
  );
  const entry = await writeEntry(deps, key, plan, ended);
  // The SDK sends a write again if its answer got lost. The second one is refused, though the holds are ours.
  const isOurs = plan.holds.size > 0 && [...plan.holds.keys()].every((id) => entry.purse.holds.has(id));
  return isOurs ? { ...entry, done: true } : entry;
}

function toEntered(plan: Plan, asks: readonly Ask[], purse: Purse): Entered[] {
  const left = new Map([...plan.counts].map(([name, { added }]) => [name, added]));
  return plan.outcomes.map((outcome, index) => {
    if (outcome.kind !== 'rate')
      for (const { name } of asks[index]!.windows) left.set(name, (left.get(name) ?? 0) - 1);
    const later = new Map(left);
    return { outcome, purse, later: (window) => later.get(window) ?? 0 };
  });
}

/** The attributes of budgets that count in none of the periods that are current now. */
export const endedBudgets = (purse: Purse, current: readonly string[]): string[] =>
  [...purse.budgets.keys()].filter((name) => !current.some((label) => name.endsWith(`|${label}`)));
