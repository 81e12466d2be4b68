import type { AgentInput } from '@errand/agent';
import {
  type Cost,
  type Credits,
  holdsUnchanged,
  prolong,
  type Reservation,
  releaseReservation,
} from '@errand/money';
import {
  ConditionsFailed,
  DomainError,
  describeError,
  limits,
  type NamedWrite,
  type Principal,
  sha256Hex,
  toIso,
  toSeconds,
} from '@errand/platform';
import { type ResolvedSkill, skillIdentity } from '@errand/skills';
import type { RunsDeps } from '../deps.ts';
import { sendRun } from '../queue.ts';
import { keepAuthorizations } from '../remote-servers.ts';
import { resendIfForgotten } from '../resend.ts';
import type { RunRecord } from '../run.ts';
import { type RunInput, readRun } from '../store.ts';
import {
  deleteRunItems,
  type IdempotencyClaim,
  lostIdempotencyClaim,
  readIdempotencyClaim,
  type ShownSkill,
  type TakenClaim,
  writeRun,
} from '../writes.ts';
import type { ChosenServers } from './choose-servers.ts';

/** Everything that is known of a run before it is written. */
export interface NewRun {
  agentId: string;
  principal: Principal;
  credits: Credits;
  agent: AgentInput;
  skill?: ResolvedSkill;
  metadata?: Record<string, string>;
  origin: string;
  requestId: string;
  uploadKey?: string;
  /** A write of the upload's own, made with the run's. */
  uploadTaken?: NamedWrite;
  maxNanoEuro?: number;
  /** What was done already, and is charged by the first step. */
  owed?: Cost;
  idempotency?: IdempotencyClaim;
  model?: string;
  proof?: boolean;
  webhookUrl?: string;
  chosenServers?: ChosenServers;
}

/** A run that was accepted, now or by an earlier request, and the skill that shapes it. */
export interface AcceptedRun {
  agentId: string;
  skill?: ShownSkill;
}

/**
 * Writes the run and then sends its message, so that an accepted run is in the queue. If the message cannot be sent,
 * takes the run back and throws `queue_unavailable`. If another request took the idempotency key meanwhile, returns
 * that request's run, or throws `idempotency_conflict` if its body was another.
 */
export async function acceptRun(deps: RunsDeps, request: NewRun): Promise<AcceptedRun> {
  const { idempotency, skill, uploadTaken, chosenServers } = request;
  const { run, kept } = newRecord(deps, request);
  const others = [...kept, ...(uploadTaken ? [uploadTaken] : [])];
  if (run.hasAuthorizations && chosenServers)
    others.push(keepAuthorizations(deps, run, chosenServers.authorizations));
  try {
    await writeRun(deps, run, inputOf(request), { idempotency, others });
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    // Reading the file took so long that what was set aside is gone.
    if (error.has(holdsUnchanged)) throw new DomainError('queue_unavailable');
    if (!error.has('idempotency-new') || !idempotency) throw error;
    const repeated = await repeatedRun(deps, lostIdempotencyClaim(deps, error), idempotency);
    if (!repeated) throw new DomainError('queue_unavailable');
    return repeated;
  }
  try {
    await sendRun(deps, run);
  } catch (error) {
    deps.log.error('run could not be queued', { agentId: run.agentId, ...describeError(error) });
    await deleteRunItems(deps, run);
    await releaseReservation(deps, run.reservation);
    await releaseReservation(deps, run.owed?.reservation);
    throw new DomainError('queue_unavailable');
  }
  return { agentId: run.agentId, skill };
}

/** The run, and the writes that make what is set aside for it last as long as the run does. */
function newRecord(deps: RunsDeps, request: NewRun): { run: RunRecord; kept: NamedWrite[] } {
  const now = deps.clock();
  const { reservation: first } = request.credits;
  const { owed, maxNanoEuro, skill, model, proof, webhookUrl } = request;
  const held = [first, owed?.reservation].filter((each) => each !== undefined);
  const endSeconds = toSeconds(now) + limits.runReadableSeconds;
  const { writes: kept, reservations } = prolong(deps, held, endSeconds);
  const byId = (reservation: Reservation | undefined) =>
    reservations.find(({ id }) => id === reservation?.id);
  const [reservation, owedReservation] = [byId(first), byId(owed?.reservation)];
  const run: RunRecord = {
    agentId: request.agentId,
    keyId: request.principal.keyId,
    payer: request.credits.payer,
    status: 'queued',
    createdAt: toIso(now),
    updatedAt: toIso(now),
    expiresAt: toIso(now + limits.runReadableSeconds * 1000),
    lastEventId: 0,
    metadata: request.metadata,
    idempotencyKey: request.idempotency?.key,
    deaths: 0,
    sentAtMilliseconds: now,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    completions: 0,
    audioSeconds: 0,
    amountNanoEuro: 0,
    requestId: request.requestId,
    models: request.principal.limits?.models && request.principal.limits.models,
    skill: skill && skillIdentity(skill),
    maxNanoEuro,
    model,
    proof: proof || undefined,
    webhookUrl,
    ...(hasAuthorizations(request) && { hasAuthorizations: true }),
    reservation,
    owed: owed && { ...owed, ...(owedReservation && { reservation: owedReservation }) },
  };
  return { run, kept };
}

const hasAuthorizations = ({ chosenServers }: NewRun): boolean =>
  Object.keys(chosenServers?.authorizations ?? {}).length > 0;

const inputOf = ({ agent, skill, origin, requestId, uploadKey, chosenServers }: NewRun): RunInput => ({
  agent,
  skill,
  origin,
  requestId,
  uploadKey,
  servers: chosenServers?.servers,
});

/**
 * The run that an earlier request of the same API key created with this idempotency key; undefined if there is none.
 * Throws `idempotency_conflict` if the earlier request had another body.
 */
export const findRepeated = async (
  deps: RunsDeps,
  principal: Principal,
  claim: IdempotencyClaim,
): Promise<AcceptedRun | undefined> =>
  repeatedRun(deps, await readIdempotencyClaim(deps, principal.keyId, claim.key), claim);

/** The run that was made with a claim; undefined if there is none yet, or no more. Throws `idempotency_conflict`. */
export async function repeatedRun(
  deps: RunsDeps,
  taken: TakenClaim | undefined,
  claim: IdempotencyClaim,
): Promise<AcceptedRun | undefined> {
  if (!taken) return undefined;
  if (taken.bodyHash !== claim.bodyHash) throw new DomainError('idempotency_conflict');
  const { agentId, skill } = taken;
  const run = agentId === undefined ? undefined : await readRun(deps, agentId);
  if (!run || agentId === undefined) return undefined;
  await resendIfForgotten(deps, run);
  return { agentId, skill };
}

export const claimOf = (key: string | undefined, body: string): IdempotencyClaim | undefined =>
  key === undefined ? undefined : { key, bodyHash: sha256Hex(body) };
