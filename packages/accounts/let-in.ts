import { DomainError, type Principal } from '@errand/platform';
import { accountOf, endedIn, knownFull, toWindow } from './count-request.ts';
import type { AccountsDeps } from './deps.ts';
import type { Payer } from './ledger.ts';
import { formatEuro } from './money.ts';
import { noticeBudget, noticePurse } from './notices.ts';
import { budgetOf, ceilingOf, type Paying, readPaying, type SpentBudget } from './payer.ts';
import { type Entered, enter, type PurseOwner } from './purse/enter.ts';
import { mendPurse } from './purse/mend.ts';
import type { Ask, Money, Outcome } from './purse/plan.ts';
import {
  holdEnd,
  newReservationId,
  type Reservation,
  type ReservedPart,
  releaseReservation,
} from './purse/reservation.ts';
import { type CountedWindow, type RateWindow, windowsOf } from './rate.ts';
import { noteSoftLimit } from './soft-limit.ts';
import { itemKeys } from './store.ts';

/** What a call may cost at most, and how it can make do with less. */
export interface CostBound {
  mostNanoEuro: number;
  /** What to set aside if less than the most is there; undefined if that does not pay for the input. */
  within(thereNanoEuro: number): Promise<number | undefined>;
}

/** The bound of what a cap leaves. Undefined if that does not pay for the work. */
export async function withinCap(bound: CostBound, leftNanoEuro: number): Promise<CostBound | undefined> {
  if (bound.mostNanoEuro <= leftNanoEuro) return bound;
  const mostNanoEuro = leftNanoEuro > 0 ? await bound.within(leftNanoEuro) : undefined;
  if (mostNanoEuro === undefined) return undefined;
  return {
    mostNanoEuro,
    within: async (there) => {
      const enough = await bound.within(there);
      return enough && Math.min(enough, mostNanoEuro);
    },
  };
}

/** For work that costs nothing yet, but is for accounts that could pay. */
export const nothingYet: CostBound = { mostNanoEuro: 0, within: async () => 0 };

/** Who pays for a request that was let in, and what was set aside for it. */
export interface Credits {
  payer: Payer;
  balanceNanoEuro: number;
  /** Absent if nothing was set aside. */
  reservation?: Reservation;
}

/** The refusal is `rate_limited`, `no_credits`, `budget_spent` or `ceiling_spent`. */
export type LetIn = { window: RateWindow } & (
  | { credits: Credits; refusal?: never }
  | { refusal: DomainError; credits?: never }
);

/** Counts a request and sets aside what it may cost at most, in one write. */
export async function letIn(deps: AccountsDeps, principal: Principal, bound: CostBound): Promise<LetIn> {
  const full = knownFull(deps, principal);
  if (full) return refuseRate(full);
  const windows = windowsOf(deps, principal);
  const paying = await readPaying(deps, principal);
  const { entered, result } = await setAside(deps, principal, paying, bound, windows);
  const window = toWindow(deps, principal, windows, entered);
  if (entered.outcome.kind === 'rate') return refuseRate(window);
  return result instanceof DomainError ? { window, refusal: result } : { window, credits: result };
}

/** Sets aside what further work of a request, or of a run, may cost at most. Throws the refusals of `letIn` but the rate's. */
export async function reserve(
  deps: AccountsDeps,
  principal: Principal,
  bound: CostBound,
  known?: Paying,
): Promise<Credits> {
  const paying = known ?? (await readPaying(deps, principal));
  const { result } = await setAside(deps, principal, paying, bound, []);
  if (result instanceof DomainError) throw result;
  return result;
}

async function setAside(
  deps: AccountsDeps,
  principal: Principal,
  { payer, ceilingNanoEuro }: Paying,
  bound: CostBound,
  windows: readonly CountedWindow[],
): Promise<{ entered: Entered; result: Credits | DomainError }> {
  const budget = budgetOf(deps, principal);
  const common = { id: newReservationId(), untilSeconds: holdEnd(deps.clock()) };
  const fromBalance = payer.organisationId === undefined;
  const mostNanoEuro = Math.min(bound.mostNanoEuro, Number.MAX_SAFE_INTEGER);
  const money: Money = { ...bound, ...common, mostNanoEuro, fromBalance, ...(budget && { budget }) };
  const entered = await enterPaying(deps, accountOf(principal), { windows, money });
  const { outcome, purse } = entered;
  if (budget) {
    noteSoftLimit(deps, { accountId: principal.accountId }, budget, purse);
    noticeBudget(deps, principal, budget, purse, outcome.kind === 'budget');
  }
  if (fromBalance) noticePurse(deps, principal.accountId, purse);
  if (outcome.kind !== 'in') return { entered, result: refusalOf(outcome, principal, budget) };
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
  deps: AccountsDeps,
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

/** Asks a purse that pays. What dead processes have left of it is ended on the way. */
const enterPaying = (deps: AccountsDeps, owner: PurseOwner, ask: Ask): Promise<Entered> =>
  enter(deps, owner, ask, {
    ended: (purse) => endedIn(deps, purse),
    mend: (found) => mendPurse(deps, owner, found),
  });

function toReservation(
  { id, budget }: Money,
  place: Pick<ReservedPart, 'key' | 'fromBalance'>,
  { nanoEuro, hold }: Extract<Outcome, { kind: 'in' }>,
): Reservation | undefined {
  return hold && { id, nanoEuro, parts: [{ ...place, hold, ...(budget && { budgetLimit: budget.limit }) }] };
}

function refusalOf({ kind }: Outcome, { limits }: Principal, budget: SpentBudget | undefined): DomainError {
  if (kind !== 'budget' || !limits?.budget) return new DomainError('no_credits');
  const { amountNanoEuro, period } = limits.budget;
  return new DomainError('budget_spent', {
    amount: formatEuro(amountNanoEuro),
    period,
    ...(budget?.retryAfterSeconds !== undefined && { retryAfterSeconds: budget.retryAfterSeconds }),
  });
}

const refuseRate = (window: RateWindow): LetIn => ({
  window,
  refusal: new DomainError('rate_limited', { retryAfterSeconds: window.resetSeconds }),
});
