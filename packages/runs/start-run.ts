import type { Credits } from '@errand/accounts';
import type { Principal } from '@errand/platform';
import { resolveSkill, type SkillsDeps } from '@errand/skills';
import { takeUpload, type Upload, type UploadDeps } from '@errand/uploads';
import { claimOf, createRun, findRepeated, newRunId, type StartedRun } from './create-run.ts';
import type { AttachmentDeps, RunsDeps } from './deps.ts';
import { readAttachment } from './read-attachment.ts';
import type { CreateRunBody } from './schema.ts';

/** What every form of the create-run request comes to. */
export interface RunRequest {
  body: CreateRunBody;
  /** The same for a repeated request, and for no other. */
  text: string;
  /** The file that came with it. */
  upload?: Upload;
}

export interface Requester {
  principal: Principal;
  credits: Credits;
  requestId: string;
  origin: string;
  idempotencyKey: string | undefined;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

export interface StartRunDeps extends RunsDeps, UploadDeps, AttachmentDeps {
  skills: SkillsDeps;
}

/**
 * From a request that was read to a run that was accepted: finds a repetition, resolves the skill, reads the file.
 * Whatever is thrown, no file, run or charge is left.
 */
export async function startRun(
  deps: StartRunDeps,
  requester: Requester,
  request: RunRequest,
): Promise<StartedRun> {
  const { principal, credits, requestId, origin, idempotencyKey, signal } = requester;
  const { question, documentUrl, audioUrl, metadata, skills, uploadId } = request.body;
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
    const attachment = upload && (await readAttachment(deps, upload, question, signal));
    const agentId = upload?.agentId ?? newRunId();
    const started = await createRun(deps, {
      agentId,
      principal,
      credits,
      agent: {
        question,
        ...(documentUrl !== undefined && { documentUrl }),
        ...(audioUrl !== undefined && { audioUrl }),
        ...(attachment && { attachment }),
      },
      ...(skill && { skill }),
      ...(metadata && { metadata }),
      origin,
      requestId,
      ...(upload && { uploadKey: upload.key }),
      ...(idempotency && { idempotency }),
    });
    if (started.accepted.agentId !== agentId) await upload?.drop();
    return started;
  } catch (error) {
    await upload?.drop(error);
    // A repetition that was sent before the first was answered finds its upload taken by it.
    const meanwhile = idempotency && uploadId && (await findRepeated(deps, principal, idempotency));
    if (meanwhile) return meanwhile;
    throw error;
  }
}
