import {
  type AccountsDeps,
  type CostBound,
  type Credits,
  checkModels,
  nothingYet,
  releaseReservation,
  requireKeyStill,
  reserve,
} from '@errand/accounts';
import type { Attachment, Cost } from '@errand/agent';
import type { Model } from '@errand/models';
import { isDomainError, limits, newUuid, type Principal } from '@errand/platform';
import { type ResolvedSkill, resolveSkill, type SkillsDeps } from '@errand/skills';
import { takeUpload, type Upload, type UploadDeps } from '@errand/uploads';
import type { AttachmentDeps, RunsDeps } from '../deps.ts';
import type { CreateRunBody } from '../schema.ts';
import type { IdempotencyClaim } from '../writes.ts';
import { type AcceptedRun, acceptRun, claimOf, findRepeated } from './accept-run.ts';
import { claimIdempotency, giveUpClaim } from './claim-idempotency.ts';
import { boundFirstCompletion, capOf, withinCap } from './first-completion.ts';
import { readAttachment, seeDeps } from './read-attachment.ts';
import { endSeen } from './see-upload.ts';

/** A request for a run, whether it came as JSON or as a form. */
export interface RunRequest {
  body: CreateRunBody;
  /** A text of the request. Two requests have the same text exactly if one repeats the other. */
  text: string;
  /** The file that came with a form. */
  upload?: Upload;
}

/** A request that is known to be right. */
export interface PreparedRun {
  request: RunRequest;
  idempotency?: IdempotencyClaim;
  /** The run of an earlier request that this one repeats. */
  repeated?: AcceptedRun;
  skill?: ResolvedSkill;
  /** What is to be set aside when the request is let in. Nothing if it has a file: that is read first. */
  bound: CostBound;
}

export interface Requester {
  principal: Principal;
  credits: Credits;
  requestId: string;
  origin: string;
  /** Aborts when the client goes away, and with `stopping` when the process ends. */
  signal: AbortSignal;
}

export interface CreateRunDeps extends RunsDeps, UploadDeps, AttachmentDeps {
  accounts: AccountsDeps;
  skills: SkillsDeps;
  /** Absent if no model has the role: then no run is created. */
  reasoningModel?: Model;
  /** Absent if no model has the role. */
  speechModel?: Model;
  /** The cap of a run that has none of its own, as a decimal of EUR. */
  runMaxCredits?: string;
}

/** Looks up whether the request repeats another, resolves its skill, and says what its first completion may cost. */
export async function prepareRun(
  deps: CreateRunDeps,
  principal: Principal,
  request: RunRequest,
  idempotencyKey: string | undefined,
): Promise<PreparedRun> {
  const idempotency = claimOf(idempotencyKey, request.text);
  const known = { request, ...(idempotency && { idempotency }) };
  const repeated = idempotency && (await findRepeated(deps, principal, idempotency));
  if (repeated) return { ...known, repeated, bound: nothingYet };
  const { body, upload } = request;
  const skill = await resolveSkill(deps.skills, principal, body.skills);
  checkModels(principal, modelsFor(deps, request));
  const hasFile = upload !== undefined || body.uploadId !== undefined;
  const bound = hasFile ? nothingYet : await firstCompletion(deps, body, { skill });
  return { ...known, ...(skill && { skill }), bound };
}

/** The models that the run is known to need. */
function modelsFor(deps: CreateRunDeps, { body, upload }: RunRequest): string[] {
  const kind = upload?.kind.kind;
  const { visionModel } = deps.attachments.vision;
  const needed = [
    deps.reasoningModel,
    kind === 'image' ? visionModel : undefined,
    kind === 'recording' || body.audioUrl !== undefined ? deps.speechModel : undefined,
  ];
  return needed.flatMap((model) => model?.id ?? []);
}

async function firstCompletion(
  deps: CreateRunDeps,
  body: CreateRunBody,
  { skill, material = '' }: { skill: ResolvedSkill | undefined; material?: string },
): Promise<CostBound> {
  if (!deps.reasoningModel) return nothingYet;
  const bound = boundFirstCompletion(deps, deps.reasoningModel, body, { skill, material });
  return withinCap(bound, capOf(deps, body));
}

/**
 * Answers a repeated request with its run. For any other, reads the file if there is one, and accepts a new run. If this
 * throws, no file, run or reservation is left.
 */
export async function createRun(
  deps: CreateRunDeps,
  requester: Requester,
  prepared: PreparedRun,
): Promise<AcceptedRun> {
  const { request, repeated } = prepared;
  if (repeated) {
    await request.upload?.drop();
    return repeated;
  }
  if (request.upload || request.body.uploadId !== undefined) return createWithFile(deps, requester, prepared);
  try {
    return await accept(deps, requester, prepared, { agentId: newUuid() });
  } catch (error) {
    await releaseReservation(deps, requester.credits.reservation);
    throw error;
  }
}

/** The file and what was read from it, before the run is accepted. */
interface ReadFile {
  agentId: string;
  upload?: Upload;
  attachment?: Attachment;
  owed?: Cost;
}

async function createWithFile(
  deps: CreateRunDeps,
  requester: Requester,
  prepared: PreparedRun,
): Promise<AcceptedRun> {
  const { principal, signal } = requester;
  const { request, idempotency } = prepared;
  let { upload } = request;
  let claim: IdempotencyClaim | undefined;
  let credits = requester.credits;
  let owed: Cost | undefined;
  const see = seeDeps(deps);
  const { payer } = credits;
  const asked = { ...requester, payer, body: request.body, capNanoEuro: capOf(deps, request.body) };
  try {
    if (idempotency) {
      const claimed = await claimIdempotency(deps, principal, idempotency, signal);
      if (claimed.run) {
        await upload?.drop();
        return claimed.run;
      }
      claim = claimed.claim;
    }
    const repetition = idempotency && `${principal.keyId} ${idempotency.key}`;
    upload ??= await takeUpload(deps, principal, request.body.uploadId!, repetition);
    checkModels(principal, modelsFor(deps, { ...request, upload }));
    // A file may take a minute to arrive, and another to be read.
    await requireKeyStill(deps, principal);
    // What an image says is not known yet, and its run must be able to begin before a model is asked about it.
    const isSeen = upload.kind.kind === 'image';
    if (isSeen) credits = await setAsideFirst(deps, principal, prepared, seenText);
    const read = await readAttachment(deps, upload, asked);
    owed = read.owed;
    await requireKeyStill(deps, principal);
    const { attachment } = read;
    const material = attachment.kind === 'document' ? attachment.text : '';
    if (!isSeen) credits = await setAsideFirst(deps, principal, prepared, material);
    const file = { agentId: upload.agentId, upload, ...read };
    const accepted = await accept(
      deps,
      { ...requester, credits },
      { ...prepared, ...(claim && { idempotency: claim }) },
      file,
    );
    if (accepted.agentId !== upload.agentId) {
      await upload.drop();
      await endSeen(see, asked, owed, false);
    }
    return accepted;
  } catch (error) {
    await releaseReservation(deps, credits.reservation);
    await endSeen(see, asked, owed, isDomainError(error, 'unauthorized'));
    await upload?.drop(error);
    await giveUpClaim(deps, principal, claim);
    throw error;
  }
}

/** As much as a description of an image may have, for the bound of a completion that reads it. */
const seenText = ' '.repeat(limits.outputTokensPerCompletion * 4);

async function setAsideFirst(
  deps: CreateRunDeps,
  principal: Principal,
  { request, skill }: PreparedRun,
  material: string,
): Promise<Credits> {
  const bound = await firstCompletion(deps, request.body, { skill, material });
  return reserve(deps.accounts, principal, bound);
}

async function accept(
  deps: CreateRunDeps,
  { principal, credits, requestId, origin }: Requester,
  { request, skill, idempotency }: PreparedRun,
  { agentId, upload, attachment, owed }: ReadFile,
): Promise<AcceptedRun> {
  const { question, documentUrl, audioUrl, metadata, skills, uploadId, tools, maxCredits, ...unused } =
    request.body;
  unused satisfies Record<string, never>;
  const maxNanoEuro = capOf(deps, request.body);
  const accepted = await acceptRun(deps, {
    agentId,
    principal,
    credits,
    agent: {
      question,
      ...(documentUrl !== undefined && { documentUrl }),
      ...(audioUrl !== undefined && { audioUrl }),
      ...(attachment && { attachment }),
      ...(tools && { tools }),
    },
    ...(skill && { skill }),
    ...(metadata && { metadata }),
    origin,
    requestId,
    ...(upload && { uploadKey: upload.key }),
    ...(upload?.taken && { uploadTaken: upload.taken }),
    ...(idempotency && { idempotency }),
    ...(maxNanoEuro !== undefined && { maxNanoEuro }),
    ...(owed && { owed }),
  });
  if (accepted.agentId !== agentId) await releaseReservation(deps, credits.reservation);
  return accepted;
}
