import { type Credits, formatEuro } from '@errand/accounts';
import type { AgentInput } from '@errand/agent';
import {
  ConditionsFailed,
  DomainError,
  describeError,
  limits,
  newUuid,
  type Principal,
  sha256Hex,
  toIso,
} from '@errand/platform';
import type { ResolvedSkill } from '@errand/skills';
import { deleteRunItems } from './delete-run.ts';
import type { RunsDeps } from './deps.ts';
import { sendRun } from './queue.ts';
import { resendIfForgotten } from './resend.ts';
import type { RunRecord } from './run.ts';
import {
  type IdempotencyClaim,
  putRun,
  type RunInput,
  readIdempotency,
  readRun,
  type ShownSkill,
} from './store.ts';

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
  idempotency?: IdempotencyClaim;
}

export interface Accepted {
  agentId: string;
  status: 'queued';
}

/** A run that was accepted, now or by an earlier request, and the skill that shapes it. */
export interface StartedRun {
  accepted: Accepted;
  skill?: ShownSkill;
}

/**
 * Writes the run, then its message; what is answered is in the queue. `queue_unavailable` if the message could not be
 * sent: the run is taken back. With an idempotency claim that is taken, the run that took it, or
 * `idempotency_conflict` if that was asked with another body.
 */
export async function createRun(deps: RunsDeps, request: NewRun): Promise<StartedRun> {
  const run = newRecord(deps, request);
  try {
    await putRun(deps, run, inputOf(request), request.idempotency);
  } catch (error) {
    if (!(error instanceof ConditionsFailed && error.has('idempotency-new')) || !request.idempotency)
      throw error;
    return repeatedRun(deps, request.principal, request.idempotency);
  }
  try {
    await sendRun(deps, run.agentId);
  } catch (error) {
    deps.log.error('run could not be queued', { agentId: run.agentId, ...describeError(error) });
    await deleteRunItems(deps, run);
    throw new DomainError('queue_unavailable');
  }
  const { agentId } = run;
  return { accepted: { agentId, status: 'queued' }, ...(request.skill && { skill: request.skill }) };
}

function newRecord(deps: RunsDeps, request: NewRun): RunRecord {
  const now = deps.clock();
  return {
    agentId: request.agentId,
    keyId: request.principal.keyId,
    payer: request.credits.payer,
    status: 'queued',
    createdAt: toIso(now),
    updatedAt: toIso(now),
    expiresAt: toIso(now + limits.runReadableSeconds * 1000),
    lastEventId: 0,
    ...(request.metadata && { metadata: request.metadata }),
    ...(request.idempotency && { idempotencyKey: request.idempotency.key }),
    deaths: 0,
    sentAtMilliseconds: now,
    inputTokens: 0,
    outputTokens: 0,
    audioSeconds: 0,
    amountNanoEuro: 0,
  };
}

const inputOf = ({ agent, skill, origin, requestId, uploadKey }: NewRun): RunInput => ({
  agent,
  ...(skill && { skill }),
  origin,
  requestId,
  ...(uploadKey !== undefined && { uploadKey }),
});

/** The run that the same key asked for with this idempotency key before; undefined if there is none. */
export async function findRepeated(
  deps: RunsDeps,
  principal: Principal,
  claim: IdempotencyClaim,
): Promise<StartedRun | undefined> {
  const taken = await readIdempotency(deps, principal.keyId, claim.key);
  if (!taken) return undefined;
  if (taken.bodyHash !== claim.bodyHash) throw new DomainError('idempotency_conflict');
  const run = await readRun(deps, taken.agentId);
  if (!run) return undefined;
  await resendIfForgotten(deps, run);
  const { agentId, skill } = taken;
  return { accepted: { agentId, status: 'queued' }, ...(skill && { skill }) };
}

async function repeatedRun(
  deps: RunsDeps,
  principal: Principal,
  claim: IdempotencyClaim,
): Promise<StartedRun> {
  const found = await findRepeated(deps, principal, claim);
  if (!found) throw new DomainError('queue_unavailable');
  return found;
}

export const newRunId = newUuid;

export const claimOf = (key: string | undefined, body: string): IdempotencyClaim | undefined =>
  key === undefined ? undefined : { key, bodyHash: sha256Hex(body) };

export const creditsHeader = (credits: Credits): string => formatEuro(credits.balanceNanoEuro);
