import { type Impact, impactTotals, type Usage, upstreamName, withHidden } from '@errand/models';
import {
  type Credits,
  canEnd,
  openRequestCall,
  type PaidCall,
  priceWork,
  settleLater,
  type Work,
} from '@errand/money';
import { isDomainError, newUuid, type Principal } from '@errand/platform';
import { skillIdentity } from '@errand/skills';
import { asksFor, outputBeside } from './bound-request.ts';
import type { ChatDeps } from './deps.ts';
import type { ChatRequest } from './dialect.ts';
import { CallerLeft } from './leaving.ts';
import { type MeasuredUsage, measureUsage } from './measure-usage.ts';
import type { WrittenText } from './written-text.ts';

/** A completion that is paid for. */
export interface ChatCall {
  request: ChatRequest;
  credits: Credits;
  paid: PaidCall;
  /** The most output tokens of each choice that the provider is told to write, because the reservation pays for no more. */
  outputTokens: number | undefined;
}

interface Caller {
  principal: Principal;
  requestId: string;
  traceparent: string | undefined;
}

/** Starts to keep what was set aside. The call must be settled or broken off. */
export function startCall(deps: ChatDeps, request: ChatRequest, credits: Credits, caller: Caller): ChatCall {
  const { skill } = request;
  const { payer, reservation } = credits;
  const { requestId, principal, traceparent } = caller;
  const paid = openRequestCall(
    { ...deps.accounts, ...deps },
    {
      id: `chat_${newUuid()}`,
      to: { payer, requestId, keyId: principal.keyId, skill: skill && skillIdentity(skill) },
      reservation,
      asked: { kind: 'completion', model: request.modelId, traceparent },
      async known({ upstream: asked }) {
        const { upstream: first, fallbacks } = request.model;
        const upstream = [first, ...fallbacks].find((each) => upstreamName(each) === asked) ?? first;
        const nothing = { reported: undefined, countOutput: async () => 0 };
        const { tokens } = await measureUsage(request, { upstream, ...nothing });
        return workOf({ request, paid }, tokens);
      },
    },
  );
  return { request, credits, paid, outputTokens: outputLimit(request, credits) };
}

/**
 * The output limit that the provider is told: what the reservation pays for if that is less than was asked for,
 * otherwise `toldTokens` if the payer's money can run out.
 */
function outputLimit({ bound, toldTokens }: ChatRequest, { reservation }: Credits): number | undefined {
  if (!reservation) return undefined;
  return bound.outputTokensFor(reservation.nanoEuro) ?? (canEnd(reservation) ? toldTokens : undefined);
}

/** The tokens of what came of an answer, with what nobody can read of it. */
export async function countAnswer(
  { request, outputTokens }: Pick<ChatCall, 'request' | 'outputTokens'>,
  { written, hiddenTokens = 0 }: { written: WrittenText; hiddenTokens?: number | undefined },
): Promise<number> {
  const tokens = await written.countTokens();
  const { model, body, bytes } = request;
  const most = outputTokens ?? asksFor(body) ?? outputBeside(model, bytes.length);
  return withHidden(tokens, hiddenTokens, most);
}

/**
 * The part of a whole answer's price that may take a balance below zero: nobody told the provider how much to write,
 * and the provider reports more than was set aside.
 */
export const overrunOf = (
  { request: { bound, body }, outputTokens }: ChatCall,
  { isReported, tokens }: MeasuredUsage,
): number =>
  isReported && asksFor(body) === undefined && outputTokens === undefined ? bound.beyond(tokens) : 0;

/** What the completion is charged for. */
export const workOf = (
  { request, paid }: Pick<ChatCall, 'request' | 'paid'>,
  usage: Usage,
  impact?: Impact,
): Work =>
  priceWork({
    kind: 'completion',
    model: request.modelId,
    ...usage,
    price: request.price,
    upstream: paid.taking.upstream,
    ...(impact && impactTotals(impact)),
  });

/**
 * Ends a call that got no answer. If the provider was working on the call when the caller broke it off, what is
 * known of the call is charged in the background. Otherwise the call costs nothing. Does nothing for a settled
 * call.
 */
export function breakOff(
  deps: ChatDeps,
  { paid, credits }: Pick<ChatCall, 'paid' | 'credits'>,
  reason: unknown,
): void {
  settleLater(deps.accounts, credits.payer.accountId, () => paid.breakOff(isTheCallers(reason), reason));
}

/** True if a call was broken off by its caller, or by the end of its key. Nobody answered a call that is a 504. */
const isTheCallers = (reason: unknown): boolean =>
  reason instanceof CallerLeft || isDomainError(reason, 'unauthorized');
