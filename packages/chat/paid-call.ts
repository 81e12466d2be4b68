import {
  type Charge,
  type Credits,
  canEnd,
  deleteDraft,
  type KeptReservation,
  keepReservation,
  type Reservation,
  releaseReservation,
  type SettleDeps,
  settleCharge,
  settleCovered,
  settleLater,
} from '@errand/accounts';
import { completionCost, type Impact, impactTotals, type Taking, type Usage } from '@errand/models';
import { type DomainError, isDomainError, newUuid, type Principal, toIso } from '@errand/platform';
import { skillIdentity } from '@errand/skills';
import { asksFor } from './bound-request.ts';
import type { ChatDeps } from './deps.ts';
import { CallerLeft } from './leaving.ts';
import { measureUsage } from './measure-usage.ts';
import type { ChatRequest } from './read-request.ts';

/** A call of a provider, from what is set aside for it to its charge. */
export interface PaidCall {
  request: ChatRequest;
  credits: Credits;
  /** Whether a provider has the request in work. */
  taking: Taking;
  kept: KeptReservation;
  /** The most output tokens of each choice that the provider is told to write, because the reservation pays for no more. */
  outputTokens: number | undefined;
  /** The tokens that are known so far. Undefined before a provider has the request. */
  known(): Promise<Usage | undefined>;
  charge: (usage: Usage, more: Partial<Charge>) => Charge;
  /** It is settled, or is being settled. */
  isOver: boolean;
}

export interface Caller {
  principal: Principal;
  requestId: string;
}

/** Starts to keep what was set aside. The call must end with `settle` or `breakOff`. */
export function startCall(deps: ChatDeps, request: ChatRequest, credits: Credits, caller: Caller): PaidCall {
  const { reservation } = credits;
  const id = `chat_${newUuid()}`;
  const call: PaidCall = {
    request,
    credits,
    taking: { taken: false },
    isOver: false,
    outputTokens: outputLimit(request, reservation),
    known: async () =>
      call.taking.taken
        ? (await measureUsage(request, { reported: undefined, countOutput: async () => 0 })).tokens
        : undefined,
    charge: (usage, more) => chargeOf(deps, call, { id, usage, caller, more }),
    kept: keepReservation(deps.accounts, reservation, async () => {
      const usage = await call.known();
      return usage && call.charge(usage, {});
    }),
  };
  return call;
}

/** A reservation that pays for less than was asked for says how much; a whole one only if what it pays for can end. */
function outputLimit(
  { bound, toldTokens }: ChatRequest,
  reservation: Reservation | undefined,
): number | undefined {
  if (!reservation) return undefined;
  return bound.outputTokensFor(reservation.nanoEuro) ?? (canEnd(reservation) ? toldTokens : undefined);
}

function chargeOf(
  deps: ChatDeps,
  { request, credits, taking }: PaidCall,
  { id, usage, caller, more }: { id: string; usage: Usage; caller: Caller; more: Partial<Charge> },
): Charge {
  const { modelId, skill, price } = request;
  return {
    id,
    at: toIso(deps.clock()),
    kind: 'completion',
    payer: credits.payer,
    model: modelId,
    ...usage,
    amountNanoEuro: completionCost(price, usage),
    requestId: caller.requestId,
    keyId: caller.principal.keyId,
    ...(skill && { skill: skillIdentity(skill) }),
    price,
    ...(taking.upstream !== undefined && { upstream: taking.upstream }),
    ...(credits.reservation && { reservation: credits.reservation }),
    ...more,
  };
}

/** Charges an answer exactly once, at once or later. Never throws. */
export async function settle(
  deps: ChatDeps & Pick<SettleDeps, 'hurried'>,
  call: PaidCall,
  usage: Usage,
  { impact, ...more }: { impact: Impact; brokenOff?: boolean },
): Promise<void> {
  call.isOver = true;
  await call.kept.stop();
  await write(deps, call, call.charge(usage, { ...more, ...impactTotals(impact) }));
}

/** Whether only its provider knows how much an answer has, until it is there. It may cost more than its account has. */
const isUnbounded = ({ body }: ChatRequest): boolean => !body.stream && asksFor(body) === undefined;

/** Writes the charge. The draft of the call is deleted after it, in the background. */
async function write(
  deps: ChatDeps & Pick<SettleDeps, 'hurried'>,
  { kept, request }: PaidCall,
  charge: Charge,
): Promise<void> {
  const settleIt = isUnbounded(request) ? settleCharge : settleCovered;
  await settleIt({ ...deps.accounts, ...deps }, charge);
  const drafted = kept.drafted();
  const reservation = drafted?.reservation;
  if (!reservation) return;
  settleLater(deps.accounts, charge.payer.accountId, () => deleteDraft(deps.accounts, reservation, drafted));
}

/**
 * Ends a call that got no answer. If the provider had it in work when the caller broke it off, it is charged what is known
 * of it, in the background. Otherwise it costs nothing. Does nothing for a call that is settled.
 */
export function breakOff(deps: ChatDeps, call: PaidCall, reason: unknown): void {
  if (call.isOver) return;
  call.isOver = true;
  settleLater(deps.accounts, call.credits.payer.accountId, async () => {
    await call.kept.stop();
    const usage = isTheCallers(reason) ? await call.known() : undefined;
    if (usage) await write(deps, call, call.charge(usage, { brokenOff: true }));
    else await releaseReservation(deps.accounts, call.credits.reservation);
  });
}

/** Whether a call was broken off by its caller, by the end of its key, or because the caller would not have had to wait. */
const isTheCallers = (reason: unknown): reason is CallerLeft | DomainError =>
  reason instanceof CallerLeft || isDomainError(reason, 'timed_out') || isDomainError(reason, 'unauthorized');
