import { agentIdentity } from '@errand/agents';
import { holdsUnchanged, prolong, type Reservation, releaseReservation } from '@errand/money';
import { ConditionsFailed, DomainError, describeError, type NamedWrite, toSeconds } from '@errand/platform';
import { skillIdentity } from '@errand/skills';
import { deleteSavedFiles, type Upload } from '@errand/uploads';
import type { RunsDeps } from '../deps.ts';
import { payloadPrefix } from '../item-keys.ts';
import { beginningOf } from '../question.ts';
import { sendRun } from '../queue.ts';
import { keepAuthorizations } from '../remote-servers.ts';
import { keptFields, newRunFields, pickFields, placeOf, type RunRecord, threadOf } from '../run.ts';
import { giveBackApprovals, type RunInput } from '../store.ts';
import {
  approvalsUnused,
  deleteRunItems,
  deleteUntaken,
  type IdempotencyClaim,
  lostIdempotencyClaim,
  writeRun,
} from '../writes.ts';
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
  const { servers, agent, skill, followed, request } = plan;
  const { idempotency, upload, attachment } = brought;
  const { run, kept } = newRecord(deps, requester, plan, brought);
  const others = [...kept, ...(upload?.taken ? [upload.taken] : [])];
  if (run.hasAuthorizations && servers) others.push(keepAuthorizations(deps, run, servers.authorizations));
  const note = request.note?.(run);
  if (note) others.push(...note.writes);
  if (followed) {
    const from = { request, followed, attachment };
    others.push(
      ...(await followUpWrites(deps, run, from, requester.signal).catch(async (error: unknown) => {
        await dropCopies(deps, run, upload);
        throw error;
      })),
    );
  }
  try {
    await writeRun(deps, run, inputOf(requester, plan, brought), { idempotency, others });
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    // An attempt whose answer got lost may have written it.
    if (followed && !error.has('run-new')) await dropCopies(deps, run, upload);
    return repeatedInstead(deps, error, idempotency);
  }
  await sendOrTakeBack(deps, run, note?.undo);
  await dropTakenOver(deps, run, request);
  return { agentId: run.agentId, agent: agent && agentIdentity(agent), skill };
}

/** Deletes the file of the run before that the run has now. Never throws: what is left expires. */
async function dropTakenOver(
  deps: RunsDeps,
  { agentId }: Pick<RunRecord, 'agentId'>,
  { takenOver }: RunPlan['request'],
): Promise<void> {
  try {
    if (takenOver !== undefined) await deps.files.delete(takenOver);
  } catch (error) {
    deps.log.warn('copies were left', { agentId, ...describeError(error) });
  }
}

/** Deletes what was copied for a follow-up that was not written. Never throws: what is left expires. */
async function dropCopies(
  deps: RunsDeps,
  { agentId }: Pick<RunRecord, 'agentId'>,
  upload: Upload | undefined,
): Promise<void> {
  // Another request may have made a run of this id from the same upload.
  if (upload?.taken) return;
  try {
    await deps.files.deletePrefix(payloadPrefix(agentId));
    await deleteSavedFiles(deps, agentId);
  } catch (error) {
    deps.log.warn('copies were left', { agentId, ...describeError(error) });
  }
}

/** The run that another request made with the same idempotency key, if that is why the run was not written. */
async function repeatedInstead(
  deps: RunsDeps,
  error: ConditionsFailed,
  idempotency: IdempotencyClaim | undefined,
): Promise<CreatedRun> {
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

/** A run whose message cannot be sent is taken back, unless a worker has it: the message was sent, and its answer lost. */
async function sendOrTakeBack(deps: RunsDeps, run: RunRecord, undo: NamedWrite | undefined): Promise<void> {
  try {
    await sendRun(deps, run);
  } catch (error) {
    deps.log.error('run could not be queued', { agentId: run.agentId, ...describeError(error) });
    if (!(await deleteUntaken(deps, run, undo))) return;
    // What the caller lacks comes first: what is left of the run expires.
    await giveBackApprovals(deps, run);
    // The reservations as the record prolonged them. Giving them back later by their earlier state finds them gone.
    await releaseReservation(deps, run.reservation);
    await releaseReservation(deps, run.owed?.reservation);
    // The claim may be another creation's by now.
    await deleteRunItems(deps, { ...run, idempotencyKey: undefined });
    await deleteSavedFiles(deps, run.agentId);
    throw new DomainError('queue_unavailable');
  }
}

/** The run, and the writes that make what is set aside for it last as long as the run does. */
function newRecord(
  deps: RunsDeps,
  { principal, requestId, traceparent }: Requester,
  {
    request: { body, marks, scheduleId },
    followed,
    agent,
    skill,
    model,
    judge,
    servers,
    maxNanoEuro,
  }: RunPlan,
  { agentId, credits, owed, idempotency }: Brought,
): { run: RunRecord; kept: NamedWrite[] } {
  const { reservation: first, payer } = credits;
  const held = [first, owed?.reservation].filter((each) => each !== undefined);
  const endSeconds = toSeconds(deps.clock()) + deps.runReadableSeconds;
  const { writes: kept, reservations } = prolong(deps, held, endSeconds);
  const byId = (reservation: Reservation | undefined) =>
    reservations.find(({ id }) => id === reservation?.id);
  const hasAuthorizations = Object.keys(servers?.authorizations ?? {}).length > 0;
  const run: RunRecord = {
    agentId,
    keyId: principal.keyId,
    payer,
    ...newRunFields(deps),
    question: beginningOf(body.question),
    previousRunId: followed?.run.agentId,
    thread: followed && threadOf(followed.run),
    place: followed && placeOf(followed.run) + 1,
    ...pickFields(body, keptFields),
    marks,
    scheduleId,
    idempotencyKey: idempotency?.key,
    requestId,
    traceparent,
    models: principal.limits?.models,
    skill: skill && skillIdentity(skill),
    agent: agent && agentIdentity(agent),
    maxNanoEuro,
    model: model?.id,
    proof: judge && true,
    hasSchema: body.outputSchema === undefined ? undefined : true,
    hasAuthorizations: hasAuthorizations || undefined,
    reservation: byId(first),
    owed: owed && { ...owed, reservation: byId(owed.reservation) ?? owed.reservation },
  };
  return { run, kept };
}

function inputOf(
  { origin, requestId }: Requester,
  { request: { body }, agent, skill, servers }: RunPlan,
  { upload, attachment }: Brought,
): RunInput {
  // The servers of `mcp` are stored beside it: an authorization ends with the run's work, the input with the run.
  const { mcp: _, agent: __, ...kept } = body;
  return {
    agent: { ...kept, attachment },
    skill,
    definedBy: agent,
    origin,
    requestId,
    uploadKey: upload?.key,
    servers: servers?.servers,
  };
}
