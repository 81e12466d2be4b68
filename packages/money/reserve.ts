import { budgetPeriods, DomainError, limits, type Principal, toSeconds } from '@errand/platform';
import type { CostBound } from './bound.ts';
import { periodOf } from './budget-period.ts';
import type { Payer } from './charge.ts';
import type { MoneyDeps } from './deps.ts';
import { formatEuro } from './euro.ts';
import { noteSoftLimit, noticeBudget, noticePurse } from './notices.ts';
import { budgetOf, ceilingOf, readPaying, type SpentBudget } from './payer.ts';
import { type Entered, endedBudgets, enter, type PurseOwner } from './purse/enter.ts';
import { mendPurse } from './purse/mend.ts';
import type { Ask, Money, Outcome } from './purse/plan.ts';
import { endedWindows, type Purse } from './purse/purse.ts';
import {
  holdEnd,
  newReservationId,
  type Reservation,
  type ReservedPart,
  releaseReservation,
} from './purse/reservation.ts';
import { itemKeys } from './store.ts';

/** A window of requests of an account or of one of its keys, by its attribute in the account's purse. */
export interface CountedWindow {
  name: string;
  limit: number;
}

/** Who pays for a request that was let in, and what was set aside for it. */
export interface Credits {
  payer: Payer;
  balanceNanoEuro: number;
  /** Absent if nothing was set aside. */
  reservation?: Reservation;
}

/**
 * Sets aside what the work of a request, or of a run, may cost at most. Throws `no_credits`, `budget_spent` or
 * `ceiling_spent`. `owner`: by whose id `releaseAbandoned` finds it.
 */
export async function reserve(
  deps: MoneyDeps,
  principal: Principal,
  bound: CostBound,
  owner?: string,
): Promise<Credits> {
  const { result } = await letIntoPurse(deps, principal, bound, [], owner);
  if (result instanceof DomainError) throw result;
  return result;
}

/** Counts a request that pays nothing in windows of its account. */
export const countIn = (
  deps: MoneyDeps,
  accountId: string,
  windows: readonly CountedWindow[],
): Promise<Entered> =>
  enter(deps, purseOf(accountId), { windows }, { ended: (purse) => endedIn(deps, purse) });

/**
 * Counts a request in windows of its account and sets aside what it may cost at most, in one write. The result has
 * `no_credits`, `budget_spent` or `ceiling_spent` if the money does not suffice; the result means nothing if a
 * window is full.
 */
export async function letIntoPurse(
  deps: MoneyDeps,
  principal: Principal,
  bound: CostBound,
  windows: readonly CountedWindow[],
  owner?: string,
): Promise<{ entered: Entered; result: Credits | DomainError }> {
  const { payer, ceilingNanoEuro } = await readPaying(deps, principal);
  const budget = budgetOf(deps, principal);
  const common = { id: newReservationId(owner), untilSeconds: holdEnd(deps.clock()) };
  const fromBalance = payer.organisationId === undefined;
  const mostNanoEuro = Math.min(bound.mostNanoEuro, Number.MAX_SAFE_INTEGER);
  const money: Money = { ...bound, ...common, mostNanoEuro, fromBalance, budget };
  const entered = await enterPaying(deps, purseOf(principal.accountId), { windows, money });
  const { outcome, purse } = entered;
  if (budget) {
    noteSoftLimit(deps, { accountId: principal.accountId }, budget, purse);
    noticeBudget(deps, principal, budget, purse, outcome.kind === 'budget');
  }
  if (fromBalance) noticePurse(deps, principal.accountId, purse);
  if (outcome.kind !== 'in') return { entered, result: refusalOf(entered, money, { principal, budget }) };
  const credits: Credits = { payer, balanceNanoEuro: purse.balanceNanoEuro };
  const reservation = toReservation(
    money,
    { key: itemKeys.balance(principal.accountId), fromBalance },
    outcome,
  );
  if (ceilingNanoEuro === undefined || fromBalance)
    return { entered, result: { ...credits, ...(reservation && { reservation }) } };
  const below = await enterCeiling(deps, payer.organisationId!, ceilingNanoEuro, {
    ...bound,
    mostNanoEuro: Math.min(mostNanoEuro, outcome.nanoEuro),
    ...common,
  }).catch(async (error: unknown) => {
    await releaseReservation(deps, reservation);
    throw error;
  });
  if (below instanceof DomainError) {
    await releaseReservation(deps, reservation);
    return { entered, result: below };
  }
  return {
    entered,
    result: { ...credits, ...(reservation && below && { reservation: join(reservation, below) }) },
  };
}

const join = (one: Reservation, other: Reservation): Reservation => ({
  ...one,
  nanoEuro: Math.min(one.nanoEuro, other.nanoEuro),
  parts: [...one.parts, ...other.parts],
});

/** Sets aside a part of what an organisation may spend this month, or refuses with `ceiling_spent`. */
async function enterCeiling(
  deps: MoneyDeps,
  organisationId: string,
  ceilingNanoEuro: number,
  bound: CostBound & Pick<Money, 'id' | 'untilSeconds'>,
): Promise<Reservation | undefined | DomainError> {
  const key = itemKeys.ceiling(organisationId);
  const budget = ceilingOf(deps, ceilingNanoEuro);
  const money: Money = { ...bound, fromBalance: false, budget };
  const { outcome, purse } = await enterPaying(deps, { key }, { windows: [], money });
  noteSoftLimit(deps, { organisationId }, budget, purse);
  if (outcome.kind === 'in') return toReservation(money, { key, fromBalance: false }, outcome);
  const retryAfterSeconds = budget.retryAfterSeconds ?? 1;
  return new DomainError('ceiling_spent', {
    organisationId,
    amount: formatEuro(ceilingNanoEuro),
    retryAfterSeconds,
  });
}

/** Asks a purse that pays. Holds that dead processes have left in the purse are ended on the way. */
const enterPaying = (deps: MoneyDeps, owner: PurseOwner, ask: Ask): Promise<Entered> =>
  enter(deps, owner, ask, {
    ended: (purse) => endedIn(deps, purse),
    mend: (found) => mendPurse(deps, owner, found),
  });

/** The attributes of windows and budgets that have ended. */
function endedIn({ clock }: Pick<MoneyDeps, 'clock'>, purse: Purse): string[] {
  const nowSeconds = toSeconds(clock());
  const startSeconds = nowSeconds - (nowSeconds % limits.windowSeconds);
  const labels = budgetPeriods.map((period) => periodOf(period, clock()).label);
  return [...endedWindows(purse, startSeconds), ...endedBudgets(purse, labels)];
}

const purseOf = (accountId: string): PurseOwner => ({ key: itemKeys.balance(accountId), accountId });

function toReservation(
  { id, budget }: Money,
  place: Pick<ReservedPart, 'key' | 'fromBalance'>,
  { nanoEuro, hold }: Extract<Outcome, { kind: 'in' }>,
): Reservation | undefined {
  return hold && { id, nanoEuro, parts: [{ ...place, hold, budgetLimit: budget?.limit }] };
}

/** Every request that pays needs something, also one whose cost is not known yet. */
const leastNanoEuro = 1;

function refusalOf(
  { outcome, purse }: Entered,
  { mostNanoEuro }: Money,
  { principal: { limits }, budget }: { principal: Principal; budget: SpentBudget | undefined },
): DomainError {
  if (outcome.kind !== 'budget' || !limits?.budget)
    return new DomainError('no_credits', {
      available: formatEuro(purse.availableNanoEuro),
      needed: formatEuro(Math.max(leastNanoEuro, mostNanoEuro)),
    });
  const { amountNanoEuro, period } = limits.budget;
  return new DomainError('budget_spent', {
    amount: formatEuro(amountNanoEuro),
    period,
    ...(budget?.retryAfterSeconds !== undefined && { retryAfterSeconds: budget.retryAfterSeconds }),
  });
}
