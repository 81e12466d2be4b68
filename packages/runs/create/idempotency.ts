import type { AgentIdentity } from '@errand/agents';
import { DomainError, delay, fieldIssue, limits, newUuid, type Principal, sha256Hex } from '@errand/platform';
import type { Context } from 'hono';
import type { RunsDeps } from '../deps.ts';
import { resendIfForgotten } from '../resend.ts';
import { readRun } from '../store.ts';
import {
  type IdempotencyClaim,
  readIdempotencyClaim,
  releaseClaim,
  type ShownSkill,
  type TakenClaim,
  takeClaim,
} from '../writes.ts';

/** A run that was created, now or by an earlier request, the agent that it is by, and the skill that shapes it. */
export interface CreatedRun {
  agentId: string;
  agent?: AgentIdentity;
  skill?: ShownSkill;
}

const visibleAscii = /^[\x21-\x7e]+$/;

/** The caller's Idempotency-Key. Undefined if none was sent. Throws `invalid_request` if it is malformed. */
export function readIdempotencyKey(c: Pick<Context, 'req'>): string | undefined {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return undefined;
  if (visibleAscii.test(key) && key.length <= limits.idempotencyKeyCharacters) return key;
  const problem = `must be 1 to ${limits.idempotencyKeyCharacters} visible ASCII characters`;
  throw fieldIssue('Idempotency-Key', problem);
}

export const claimOf = (key: string | undefined, body: string): IdempotencyClaim | undefined =>
  key === undefined ? undefined : { key, bodyHash: sha256Hex(body) };

/**
 * The run that an earlier request of the same API key created with this idempotency key; undefined if there is none.
 * Throws `idempotency_conflict` if the earlier request had another body.
 */
export const findRepeated = async (
  deps: RunsDeps,
  principal: Principal,
  claim: IdempotencyClaim,
): Promise<CreatedRun | undefined> =>
  repeatedRun(deps, await readIdempotencyClaim(deps, principal.keyId, claim.key), claim);

/**
 * The run that was made with a claim; undefined if the run is not made yet, or is gone. Throws
 * `idempotency_conflict`.
 */
export async function repeatedRun(
  deps: RunsDeps,
  taken: TakenClaim | undefined,
  claim: IdempotencyClaim,
): Promise<CreatedRun | undefined> {
  if (!taken) return undefined;
  if (taken.bodyHash !== claim.bodyHash) throw new DomainError('idempotency_conflict');
  const { agentId, agent, skill } = taken;
  const run = agentId === undefined ? undefined : await readRun(deps, agentId);
  if (!run || agentId === undefined) return undefined;
  await resendIfForgotten(deps, run);
  return { agentId, agent, skill };
}

/** A claim whose run is still to be made, or the run that another request made with the claim. */
type Claimed = { claim: IdempotencyClaim; run?: never } | { claim?: never; run: CreatedRun };

const pollMilliseconds = 250;
/** Longer than a request may take to read its file. The claim of a request that dies lasts this long. */
const claimMilliseconds = 90_000;
const waitMilliseconds = 45_000;

/**
 * Claims an idempotency key before the request's file is read. A repetition waits for the run of the request that
 * has the claim, and reads nothing. Throws `idempotency_conflict` if the other request had another body, and
 * `idempotency_busy` if it is not done in time.
 */
export async function claimIdempotency(
  deps: RunsDeps,
  principal: Principal,
  wanted: IdempotencyClaim,
  signal: AbortSignal,
): Promise<Claimed> {
  const claim = { ...wanted, token: newUuid() };
  const until = deps.clock() + waitMilliseconds;
  for (;;) {
    const taken = await takeClaim(deps, principal.keyId, claim, claimMilliseconds);
    if (!taken) return { claim };
    const run = await repeatedRun(deps, taken, wanted);
    if (run) return { run };
    if (deps.clock() >= until || !isPending(taken)) throw new DomainError('idempotency_busy');
    await delay(pollMilliseconds, signal);
  }
}

const isPending = ({ agentId }: TakenClaim): boolean => agentId === undefined;

/** Gives the claim up, for a request that made no run. A claim that a run was made with stays. */
export const giveUpClaim = async (
  deps: RunsDeps,
  principal: Principal,
  claim: IdempotencyClaim | undefined,
): Promise<void> => {
  if (claim?.token !== undefined) await releaseClaim(deps, principal.keyId, claim.key, claim.token);
};
