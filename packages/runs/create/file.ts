import { requireKeyStill } from '@errand/accounts';
import type { Attachment } from '@errand/agent';
import {
  type Cost,
  type CostBound,
  type Credits,
  keepReservation,
  releaseReservation,
  reserve,
} from '@errand/money';
import { isDomainError, limits, newUuid, type Principal } from '@errand/platform';
import { takeUpload, type Upload } from '@errand/uploads';
import { contextOf } from '../context-of.ts';
import type { CreateRunDeps } from '../deps.ts';
import { dropUploadMaterial } from '../run-material.ts';
import type { IdempotencyClaim } from '../writes.ts';
import { boundFirstCompletion } from './first-completion.ts';
import { type CreatedRun, claimIdempotency, giveUpClaim } from './idempotency.ts';
import { type RunPlan, requireModels } from './plan.ts';
import { readAttachment } from './read-attachment.ts';
import { type Asker, boundSeen, endSeen } from './see-upload.ts';

/** Who asks for a run, and what was set aside when the request was let in. */
export interface Requester {
  principal: Principal;
  credits: Credits;
  requestId: string;
  traceparent: string | undefined;
  /** Links to saved files begin with it. */
  origin: string;
  /** Aborts when the client goes away, and with `stopping` when the process ends. */
  signal: AbortSignal;
}

/** What a run is written with: its id, its file as it was read, and what is set aside. */
export interface Brought {
  agentId: string;
  upload?: Upload;
  attachment?: Attachment;
  /** What reading the file has cost. The run's first step charges it. */
  owed?: Cost;
  credits: Credits;
  idempotency?: IdempotencyClaim;
  /**
   * Undoes everything that was prepared for the run, because of an error or because another request made the run.
   * Never throws.
   */
  takeBack(error?: unknown): Promise<void>;
}

/** What a run without a file is written with. */
export const bringNothing = (
  deps: CreateRunDeps,
  { credits }: Requester,
  { idempotency }: RunPlan,
): Brought => ({
  agentId: newUuid(),
  credits,
  idempotency,
  takeBack: () => releaseReservation(deps, credits.reservation),
});

/** What exists of a file so far, to be written with its run or undone. */
interface Held {
  credits: Credits;
  idempotency?: IdempotencyClaim;
  upload?: Upload;
  owed?: Cost;
}

/**
 * Claims the idempotency key, takes the file and reads it. If this throws, no claim, file or reservation is left.
 * If another request has made the run meanwhile, returns that run instead.
 */
export async function bringFile(
  deps: CreateRunDeps,
  requester: Requester,
  plan: RunPlan,
): Promise<Brought | { repeated: CreatedRun }> {
  const { principal, credits, signal } = requester;
  const { request, idempotency, maxNanoEuro } = plan;
  const asker = { ...requester, payer: credits.payer, maxNanoEuro };
  const held: Held = { credits, upload: request.upload };
  const takeBack = (error?: unknown) => takeBackHeld(deps, asker, held, error);
  try {
    if (idempotency) {
      const claimed = await claimIdempotency(deps, principal, idempotency, signal);
      if (claimed.run) {
        await request.upload?.drop();
        return { repeated: claimed.run };
      }
      held.idempotency = claimed.claim;
    }
    const repetition = idempotency && `${principal.keyId} ${idempotency.key}`;
    const upload = request.upload ?? (await takeUpload(deps, principal, request.body.uploadId!, repetition));
    held.upload = upload;
    const attachment = await readHeld(deps, asker, plan, upload, held);
    return { ...held, agentId: upload.agentId, attachment, takeBack };
  } catch (error) {
    await takeBack(error);
    throw error;
  }
}

/** Sets aside what the file and the run's first completion may cost, and reads the file. */
async function readHeld(
  deps: CreateRunDeps,
  asker: Asker,
  plan: RunPlan,
  upload: Upload,
  held: Held,
): Promise<Attachment> {
  const { principal } = asker;
  const { request, model } = plan;
  const { body } = request;
  requireModels(deps, principal, plan, upload);
  // A file may take a minute to arrive, and another to be read.
  await requireKeyStill(deps, principal);
  const setAside = async (material: string, before?: CostBound) => {
    const first = await boundFirstCompletion(deps, plan, { material, before });
    held.credits = await reserve(deps.accounts, principal, first);
  };
  // The content of an image is not known yet, and the run must be able to begin before a model is asked about the
  // image. One reservation covers both costs: simultaneous requests share what the account has.
  const { kind } = upload.kind;
  if (kind === 'image') await setAside(seenText, boundSeen(deps, body.question));
  if (kind === 'recording') await setAside('');
  await request.store?.();
  const { reservation } = held.credits;
  const kept = keepReservation(deps.accounts, reservation, async () => undefined);
  const contextTokens = model ? contextOf(model) : 0;
  const asked = { ...asker, reservation, body, contextTokens };
  const { attachment, owed } = await readAttachment(deps, upload, asked).finally(kept.stop);
  held.owed = owed;
  await requireKeyStill(deps, principal);
  if (attachment.kind === 'document') await setAside(attachment.text);
  return attachment;
}

/** Tries each step, even if another step fails. Objects that are left over expire. */
async function takeBackHeld(
  deps: CreateRunDeps,
  asker: Asker,
  { credits, idempotency, upload, owed }: Held,
  error: unknown,
): Promise<void> {
  await Promise.allSettled([
    releaseReservation(deps, credits.reservation),
    endSeen(deps, asker, owed, isDomainError(error, 'unauthorized')),
    upload && drop(deps, upload, error),
    giveUpClaim(deps, asker.principal, idempotency),
  ]);
}

/**
 * A text as long as the description of an image may be, for the bound of the completion that reads the description.
 */
const seenText = ' seen'.repeat(limits.outputTokensPerCompletion);

async function drop(deps: CreateRunDeps, upload: Upload, reason: unknown): Promise<void> {
  // A file that was given up may be taken by another request at once, which keeps its material under the same name.
  await Promise.allSettled([dropUploadMaterial(deps.files, upload.agentId)]);
  await upload.drop(reason);
}
