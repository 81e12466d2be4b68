import { holdsUnchanged, prolong, type Reservation, releaseReservation } from '@errand/money';
import {
  ConditionsFailed,
  DomainError,
  describeError,
  type NamedWrite,
  toIso,
  toSeconds,
} from '@errand/platform';
import { skillIdentity } from '@errand/skills';
import type { RunsDeps } from '../deps.ts';
import { beginningOf } from '../question.ts';
import { sendRun } from '../queue.ts';
import { keepAuthorizations } from '../remote-servers.ts';
import { keptFields, pickFields, placeOf, type RunRecord, threadOf } from '../run.ts';
import { giveBackApprovals, type RunInput } from '../store.ts';
import { approvalsUnused, deleteRunItems, lostIdempotencyClaim, writeRun } from '../writes.ts';
import type { Brought, Requester } from './file.ts';
import { followUpWrites } from './follow.ts';
import { type CreatedRun, repeatedRun } from './idempotency.ts';
import type { RunPlan } from './plan.ts';

/**
 * Writes the run and then sends its message, so that a created run is in the queue. If the message cannot be sent,
 * takes the run back and throws `queue_unavailable`. If another request took the idempotency key meanwhile, returns
 * that request's run, or throws `idempotency_conflict` if its body was another.
 */
export async function writePlan(
  deps: RunsDeps,
  requester: Requester,
  plan: RunPlan,
  brought: Brought,
): Promise<CreatedRun> {
  const { servers, skill, followed, request } = plan;
  const { idempotency, upload, attachment } = brought;
  const { run, kept } = newRecord(deps, requester, plan, brought);
  const others = [...kept, ...(upload?.taken ? [upload.taken] : [])];
  if (followed)
    others.push(
      ...(await followUpWrites(
        deps,
        run,
        { request, followed, filename: attachment?.filename },
        requester.signal,
      )),
    );
  if (run.hasAuthorizations && servers) others.push(keepAuthorizations(deps, run, servers.authorizations));
  try {
    await writeRun(deps, run, inputOf(requester, plan, brought), { idempotency, others });
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    // Reading the file took so long that what was set aside is gone.
    if (error.has(holdsUnchanged)) throw new DomainError('queue_unavailable');
    if (!error.has('idempotency-new') || !idempotency) {
      if (error.has(approvalsUnused))
        throw new DomainError('run_cannot_continue', { reason: 'approvals_used' });
      throw error;
    }
    const repeated = await repeatedRun(deps, lostIdempotencyClaim(deps, error), idempotency);
    if (!repeated) throw new DomainError('queue_unavailable');
    return repeated;
  }
  try {
    await sendRun(deps, run);
  } catch (error) {
    deps.log.error('run could not be queued', { agentId: run.agentId, ...describeError(error) });
    await deleteRunItems(deps, run);
    await giveBackApprovals(deps, run);
    // The reservations as the record prolonged them. Giving them back later by their earlier state finds them gone.
    await releaseReservation(deps, run.reservation);
    await releaseReservation(deps, run.owed?.reservation);
    throw new DomainError('queue_unavailable');
  }
  return { agentId: run.agentId, skill };
}

/** The run, and the writes that make what is set aside for it last as long as the run does. */
function newRecord(
  deps: RunsDeps,
  { principal, requestId, traceparent }: Requester,
  { request: { body, marks }, followed, skill, model, judge, servers, maxNanoEuro }: RunPlan,
  { agentId, credits, owed, idempotency }: Brought,
): { run: RunRecord; kept: NamedWrite[] } {
  const now = deps.clock();
  const { reservation: first, payer } = credits;
  const held = [first, owed?.reservation].filter((each) => each !== undefined);
  const endSeconds = toSeconds(now) + deps.runReadableSeconds;
  const { writes: kept, reservations } = prolong(deps, held, endSeconds);
  const byId = (reservation: Reservation | undefined) =>
    reservations.find(({ id }) => id === reservation?.id);
  const hasAuthorizations = Object.keys(servers?.authorizations ?? {}).length > 0;
  const run: RunRecord = {
    agentId,
    keyId: principal.keyId,
    payer,
    status: 'queued',
    createdAt: toIso(now),
    updatedAt: toIso(now),
    expiresAt: toIso(now + deps.runReadableSeconds * 1000),
    lastEventId: 0,
    question: beginningOf(body.question),
    previousRunId: followed?.run.agentId,
    thread: followed && threadOf(followed.run),
    place: followed && placeOf(followed.run) + 1,
    ...pickFields(body, keptFields),
    marks,
    idempotencyKey: idempotency?.key,
    deaths: 0,
    sentAtMilliseconds: now,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    completions: 0,
    audioSeconds: 0,
    amountNanoEuro: 0,
    requestId,
    traceparent,
    models: principal.limits?.models,
    skill: skill && skillIdentity(skill),
    maxNanoEuro,
    model: model?.id,
    proof: judge && true,
    hasAuthorizations: hasAuthorizations || undefined,
    reservation: byId(first),
    owed: owed && { ...owed, reservation: byId(owed.reservation) ?? owed.reservation },
  };
  return { run, kept };
}

function inputOf(
  { origin, requestId }: Requester,
  { request: { body }, skill, servers }: RunPlan,
  { upload, attachment }: Brought,
): RunInput {
  // The servers of `mcp` are stored beside it: an authorization ends with the run's work, the input with the run.
  const { mcp: _, ...kept } = body;
  return {
    agent: { ...kept, attachment },
    skill,
    origin,
    requestId,
    uploadKey: upload?.key,
    servers: servers?.servers,
  };
}
