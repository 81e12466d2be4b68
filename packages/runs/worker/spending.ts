import {
  type AccountsDeps,
  type CostBound,
  coverPrice,
  keepReservation,
  type Reservation,
  readKeyLimits,
  releaseReservation,
  reserve,
  withinCap,
} from '@errand/accounts';
import type { Cost, SetAside, Spending } from '@errand/agent';
import { createTurns, isDomainError, type Principal } from '@errand/platform';
import type { RunRecord } from '../run.ts';
import { type FirstReservation, keepFirst } from './first-reservation.ts';

/** The run that spends. */
export type SpendingRun = Pick<RunRecord, 'keyId' | 'payer' | 'amountNanoEuro'> & {
  /** What the run may cost at most. Absent if only its account bounds it. */
  maxNanoEuro?: number;
  /** What was set aside for its first completion when it was created. */
  reservation?: Reservation;
  /** What was done before the run was accepted, until its first step charges it. */
  owed?: Pick<Cost, 'amountNanoEuro'>;
};

/**
 * Sets aside what the calls of a run may cost, within what is left of its cap, and of its account, its key's budget and its
 * organisation's ceiling. What is set aside for calls that are made side by side stays within the cap together. A process
 * that dies leaves reservations that end by themselves: the next worker makes the calls again.
 */
export function runSpending(deps: AccountsDeps, run: SpendingRun): Spending {
  const { maxNanoEuro = Number.POSITIVE_INFINITY } = run;
  let first: FirstReservation | undefined = run.reservation && keepFirst(deps, run.reservation);
  /** What was spent, with what is set aside. */
  let takenNanoEuro = run.amountNanoEuro + (run.owed?.amountNanoEuro ?? 0) + (first?.nanoEuro() ?? 0);
  const turns = createTurns();
  const more = (bound: CostBound) => reserveMore(deps, run, bound);
  const keep = (reservation: Reservation | undefined, nanoEuro: number): SetAside => {
    const kept = keepReservation(deps, reservation, async () => undefined);
    return setAside(
      deps,
      { keyId: run.keyId, reservation, nanoEuro, stop: kept.stop },
      {
        change: (changeNanoEuro) => {
          takenNanoEuro += changeNanoEuro;
        },
        left: () => Math.max(0, maxNanoEuro - takenNanoEuro),
      },
    );
  };
  const dropFirst = async () => {
    const dropped = first;
    first = undefined;
    if (!dropped) return;
    takenNanoEuro -= dropped.nanoEuro();
    await dropped.release();
  };
  const useFirst = async (bound: CostBound): Promise<SetAside | undefined> => {
    const most = first && (await withinCap(bound, maxNanoEuro - takenNanoEuro + first.nanoEuro()));
    if (!first || !most) return undefined;
    const before = first.nanoEuro();
    if (!(await first.growTo(most.mostNanoEuro, more))) return undefined;
    const { nanoEuro } = first;
    takenNanoEuro += nanoEuro() - before;
    const suffices = nanoEuro() >= most.mostNanoEuro || (await bound.within(nanoEuro())) !== undefined;
    if (!suffices) return undefined;
    const used = first;
    first = undefined;
    await used.stop();
    return keep(used.reservation, nanoEuro());
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
        // What costs nothing needs no credits.
        if (capped.mostNanoEuro === 0) return keep(undefined, 0);
        const reservation = await more(capped);
        if (!reservation) return undefined;
        takenNanoEuro += reservation.nanoEuro;
        return keep(reservation, reservation.nanoEuro);
      }),
    end: () => turns.run(dropFirst),
  };
}

/** Undefined if the account, the key's budget or the ceiling does not pay for the work. */
async function reserveMore(
  deps: AccountsDeps,
  run: SpendingRun,
  bound: CostBound,
): Promise<Reservation | undefined> {
  try {
    const { reservation } = await reserve(deps, await principalOf(deps, run), bound);
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
  return { ...key, ...(organisationId !== undefined && { organisationId }), ...(limits && { limits }) };
}

/** What a run has taken of its cap. */
interface Taken {
  change(nanoEuro: number): void;
  /** What is left of the cap. */
  left(): number;
}

interface Kept extends Pick<SpendingRun, 'keyId'> {
  reservation: Reservation | undefined;
  nanoEuro: number;
  stop(): Promise<void>;
}

function setAside(
  deps: AccountsDeps,
  { keyId, reservation, nanoEuro, stop }: Kept,
  { change, left }: Taken,
): SetAside {
  let isSpent = false;
  return {
    nanoEuro,
    async spend(priceNanoEuro) {
      isSpent = true;
      // Calls that are paid side by side must not take the rest of the cap twice.
      const mostNanoEuro = nanoEuro + left();
      change(Math.min(priceNanoEuro, mostNanoEuro) - nanoEuro);
      await stop();
      const covered = await coverPrice(deps, reservation, priceNanoEuro, { keyId, mostNanoEuro });
      return { ...covered, ...(reservation && { reservation }) };
    },
    async release() {
      if (!isSpent) change(-nanoEuro);
      isSpent = true;
      await stop();
      await releaseReservation(deps, reservation);
    },
  };
}
