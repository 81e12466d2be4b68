import { DomainError, limits, type Principal, toIso, toSeconds } from '@errand/platform';
import type { CostBound } from '../bound.ts';
import type { Charge } from '../charge.ts';
import type { MoneyDeps } from '../deps.ts';
import { windowAttribute } from '../purse/purse.ts';
import { type CountedWindow, type Credits, letIntoPurse } from '../reserve.ts';

/** Work that costs at most this much, and at least its input. */
export const costing = (mostNanoEuro: number, inputNanoEuro = 0): CostBound => ({
  mostNanoEuro,
  within: async (there) => (there < inputNanoEuro ? undefined : Math.min(there, mostNanoEuro)),
});

/** The window in which requests of an account are counted at present. */
export const windowOf = ({ clock }: Pick<MoneyDeps, 'clock'>): CountedWindow => {
  const nowSeconds = toSeconds(clock());
  return { name: windowAttribute(nowSeconds - (nowSeconds % limits.windowSeconds)), limit: 100_000 };
};

/** Lets a request in that is counted too. */
export async function letIn(
  deps: MoneyDeps,
  principal: Principal,
  bound: CostBound,
): Promise<{ credits?: Credits; refusal?: DomainError }> {
  const { result } = await letIntoPurse(deps, principal, bound, [windowOf(deps)]);
  return result instanceof DomainError ? { refusal: result } : { credits: result };
}

export const chargeOf = (
  { clock }: Pick<MoneyDeps, 'clock'>,
  id: string,
  { payer, reservation }: Credits,
  amountNanoEuro: number,
): Charge => ({
  id,
  at: toIso(clock()),
  kind: 'completion',
  payer,
  model: 'writer',
  inputTokens: amountNanoEuro,
  outputTokens: 0,
  amountNanoEuro,
  reservation,
});

/** Until a hold that is not renewed has ended, for every process whose clock may be a little off. */
export const holdMilliseconds = limits.reservationSeconds * 1_000 + limits.clockSkewMilliseconds + 1_000;
