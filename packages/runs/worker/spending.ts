import { type AccountsDeps, readKeyLimits } from '@errand/accounts';
import type { Spending, SubRuns } from '@errand/agent';
import {
  type Cost,
  type CostBound,
  keepAside,
  type Reservation,
  releaseReservation,
  reserve,
  type SetAside,
  withinCap,
} from '@errand/money';
import { createTurns, isDomainError, type Principal } from '@errand/platform';
import type { RunRecord } from '../run.ts';

/** The run that spends. */
export type SpendingRun = Pick<RunRecord, 'agentId' | 'keyId' | 'payer' | 'amountNanoEuro' | 'subRuns'> & {
  /** What the run may cost at most. Absent if only its account bounds it. */
  maxNanoEuro?: number;
  /** What was set aside for its first completion when it was created. */
  reservation?: Reservation;
  /** What was done before the run was accepted, until its first step charges it. */
  owed?: Pick<Cost, 'amountNanoEuro'>;
};

/** What a run may spend, and lend to its sub-runs. */
export interface RunSpending extends Spending, Pick<SubRuns, 'lend' | 'takeBack'> {}

/** The part of what is left of its cap that a run lends to sub-runs: the rest is for its answer. */
const lentShare = 0.75;

/** Finds what there is for work, and sets it aside. Undefined if the account, the key's budget or the ceiling does not pay for it. */
type Reserve = (bound: CostBound) => Promise<Reservation | undefined>;

/**
 * Sets aside what the calls of a run may cost, within what is left of its cap, and of its account, its key's budget and its
 * organisation's ceiling. What is set aside for calls that are made side by side stays within the cap together. A process
 * that dies leaves reservations that end by themselves: the next worker makes the calls again.
 */
export function runSpending(deps: AccountsDeps, run: SpendingRun): RunSpending {
  const { keyId, maxNanoEuro = Number.POSITIVE_INFINITY } = run;
  const keep = (reservation: Reservation | undefined) => keepAside(deps, reservation, { about: { keyId } });
  /** What was set aside when the run was created, kept until its first completion. */
  let first = run.reservation && keep(structuredClone(run.reservation));
  const { subRuns } = run;
  const bySubRuns = (subRuns?.amountNanoEuro ?? 0) + (subRuns?.lentNanoEuro ?? 0);
  /** What was spent, with what is set aside and what sub-runs may spend. */
  let takenNanoEuro =
    run.amountNanoEuro + bySubRuns + (run.owed?.amountNanoEuro ?? 0) + (first?.nanoEuro ?? 0);
  const turns = createTurns();
  const more: Reserve = (bound) => reserveMore(deps, run, bound);
  /** Counts an amount that was taken from the cap, until it is spent or given back. */
  const ofCap = (amount: SetAside): SetAside => {
    const { nanoEuro } = amount;
    let isSpent = false;
    return {
      ...amount,
      nanoEuro,
      spend(priceNanoEuro, about) {
        isSpent = true;
        // Calls that are paid side by side must not take the rest of the cap twice.
        const mostNanoEuro = nanoEuro + Math.max(0, maxNanoEuro - takenNanoEuro);
        takenNanoEuro += Math.min(priceNanoEuro, mostNanoEuro) - nanoEuro;
        return amount.spend(priceNanoEuro, { ...about, mostNanoEuro });
      },
      async release() {
        if (!isSpent) takenNanoEuro -= nanoEuro;
        isSpent = true;
        await amount.release();
      },
    };
  };
  const dropFirst = async () => {
    const dropped = first;
    first = undefined;
    if (!dropped) return;
    takenNanoEuro -= dropped.nanoEuro;
    await dropped.release();
  };
  const useFirst = async (bound: CostBound): Promise<SetAside | undefined> => {
    if (!first) return undefined;
    const before = first.nanoEuro;
    const most = await withinCap(bound, maxNanoEuro - takenNanoEuro + before);
    if (!most || !(await growTo(deps, first, most.mostNanoEuro, more))) return undefined;
    const { nanoEuro } = first;
    takenNanoEuro += nanoEuro - before;
    if (nanoEuro < most.mostNanoEuro && (await bound.within(nanoEuro)) === undefined) return undefined;
    const used = first;
    first = undefined;
    return ofCap(used);
  };
  return {
    reserve: (bound, kind) =>
      turns.run(async () => {
        if (kind === 'completion' && first) {
          const used = await useFirst(bound);
          if (used) return used;
          await dropFirst();
        }
        const capped = await withinCap(bound, maxNanoEuro - takenNanoEuro);
        if (!capped) return undefined;
        // A call that costs nothing needs no credits.
        if (capped.mostNanoEuro === 0) return ofCap(keep(undefined));
        const reservation = await more(capped);
        if (!reservation) return undefined;
        takenNanoEuro += reservation.nanoEuro;
        return ofCap(keep(reservation));
      }),
    end: () => turns.run(dropFirst),
    lend: (count) =>
      turns.run(async () => {
        if (maxNanoEuro === Number.POSITIVE_INFINITY) return undefined;
        const left = Math.max(0, maxNanoEuro - takenNanoEuro);
        const each = Math.floor((left * lentShare) / count);
        takenNanoEuro += each * count;
        return each;
      }),
    takeBack: (capNanoEuro, usedNanoEuro) =>
      turns.run(async () => {
        takenNanoEuro += usedNanoEuro - capNanoEuro;
      }),
  };
}

/**
 * Sets aside up to this much in all, or as much as there is. False if the reservation has ended by itself, or
 * another worker has kept it meanwhile.
 */
async function growTo(
  deps: AccountsDeps,
  amount: SetAside,
  nanoEuro: number,
  more: Reserve,
): Promise<boolean> {
  const missing = Math.max(0, nanoEuro - amount.nanoEuro);
  if (await amount.extend(missing)) return true;
  if (missing > 0) {
    // The amount that is available, by which the reservation can grow.
    const rest = await more({ mostNanoEuro: missing, within: async (there) => Math.min(there, missing) });
    await releaseReservation(deps, rest);
    if (rest && (await amount.extend(rest.nanoEuro))) return true;
  }
  return amount.extend(0);
}

async function reserveMore(
  deps: AccountsDeps,
  run: SpendingRun,
  bound: CostBound,
): Promise<Reservation | undefined> {
  try {
    const { reservation } = await reserve(deps, await principalOf(deps, run), bound, run.agentId);
    return reservation;
  } catch (error) {
    const isSpent = (['no_credits', 'budget_spent', 'ceiling_spent'] as const).some((code) =>
      isDomainError(error, code),
    );
    if (isSpent) return undefined;
    throw error;
  }
}

async function principalOf(deps: AccountsDeps, run: SpendingRun): Promise<Principal> {
  const { accountId, organisationId } = run.payer;
  const key = { keyId: run.keyId, accountId };
  const limits = await readKeyLimits(deps, key);
  return { ...key, organisationId, limits };
}
