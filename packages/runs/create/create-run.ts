import { type Credits, requireKeyStill } from '@errand/accounts';
import { newUuid, type Principal } from '@errand/platform';
import { resolveSkill, type SkillsDeps } from '@errand/skills';
import { takeUpload, type Upload, type UploadDeps } from '@errand/uploads';
import type { AttachmentDeps, RunsDeps } from '../deps.ts';
import type { CreateRunBody } from '../schema.ts';
import { type AcceptedRun, acceptRun, claimOf, findRepeated } from './accept-run.ts';
import { readAttachment } from './read-attachment.ts';

/** A request for a run, whether it came as JSON or as a form. */
export interface RunRequest {
  body: CreateRunBody;
  /** A text of the request. Two requests have the same text exactly if one repeats the other. */
  text: string;
  /** The file that came with a form. */
  upload?: Upload;
}

export interface Requester {
  principal: Principal;
  credits: Credits;
  requestId: string;
  origin: string;
  idempotencyKey: string | undefined;
  /** Aborts when the client goes away, and with `stopping` when the process ends. */
  signal: AbortSignal;
}

export interface CreateRunDeps extends RunsDeps, UploadDeps, AttachmentDeps {
  skills: SkillsDeps;
}

/**
 * Answers a repeated request with its run. For any other, resolves the skill, reads the file and accepts a new run.
 * If this throws, no file, run or charge is left.
 */
export async function createRun(
  deps: CreateRunDeps,
  requester: Requester,
  request: RunRequest,
): Promise<AcceptedRun> {
  const { principal, credits, requestId, origin, idempotencyKey, signal } = requester;
  const { question, documentUrl, audioUrl, metadata, skills, uploadId, tools, ...unused } = request.body;
  unused satisfies Record<string, never>;
  const idempotency = claimOf(idempotencyKey, request.text);
  const repetition = idempotency && `${principal.keyId} ${idempotency.key}`;
  let { upload } = request;
  try {
    const repeated = idempotency && (await findRepeated(deps, principal, idempotency));
    if (repeated) {
      await upload?.drop();
      return repeated;
    }
    const skill = await resolveSkill(deps.skills, principal, skills);
    if (uploadId !== undefined) upload = await takeUpload(deps, principal, uploadId, repetition);
    // A file may take a minute to arrive, and another to be read.
    if (upload) await requireKeyStill(deps, principal);
    const asked = { question, accountId: principal.accountId };
    const attachment = upload && (await readAttachment(deps, upload, asked, signal));
    if (upload) await requireKeyStill(deps, principal);
    const agentId = upload?.agentId ?? newUuid();
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
    });
    if (accepted.agentId !== agentId) await upload?.drop();
    return accepted;
  } catch (error) {
    await upload?.drop(error);
    // This request may repeat one that took the same upload and was not yet answered when we looked.
    const repeated = idempotency && uploadId && (await findRepeated(deps, principal, idempotency));
    if (repeated) return repeated;
    throw error;
  }
}
