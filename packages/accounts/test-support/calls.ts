import { limits, type Principal, toIso } from '@errand/platform';
import type { AccountsDeps } from '../deps.ts';
import type { Charge } from '../ledger.ts';
import { type CostBound, type Credits, letIn } from '../let-in.ts';

/** Work that costs at most this much, and at least its input. */
export const costing = (mostNanoEuro: number, inputNanoEuro = 0): CostBound => ({
  mostNanoEuro,
  within: async (there) => (there < inputNanoEuro ? undefined : Math.min(there, mostNanoEuro)),
});

/** Lets work in, and throws its refusal. */
export async function enterWith(
  deps: AccountsDeps,
  principal: Principal,
  bound: CostBound,
): Promise<Credits> {
  const { credits, refusal } = await letIn(deps, principal, bound);
  if (refusal) throw refusal;
  return credits;
}

export const chargeOf = (
  { clock }: Pick<AccountsDeps, 'clock'>,
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
  ...(reservation && { reservation }),
});

/** Until a hold that is not renewed has ended, for every process whose clock may be a little off. */
export const holdMilliseconds = limits.reservationSeconds * 1_000 + limits.clockSkewMilliseconds + 1_000;
