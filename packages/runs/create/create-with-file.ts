import { checkModels, requireKeyStill } from '@errand/accounts';
import {
  type Cost,
  type CostBound,
  type Credits,
  keepReservation,
  releaseReservation,
  reserve,
} from '@errand/money';
import { isDomainError, limits, type Principal } from '@errand/platform';
import { takeUpload, type Upload } from '@errand/uploads';
import { contextOf } from '../context-of.ts';
import { dropUploadMaterial } from '../run-material.ts';
import type { IdempotencyClaim } from '../writes.ts';
import { acceptRequest } from './accept-request.ts';
import type { AcceptedRun } from './accept-run.ts';
import { chooseModel } from './choose-model.ts';
import { claimIdempotency, giveUpClaim } from './claim-idempotency.ts';
import { capOf } from './first-completion.ts';
import {
  type CreateRunDeps,
  firstCompletion,
  modelsFor,
  type PreparedRun,
  type Requester,
} from './prepare-run.ts';
import { readAttachment, seeDeps } from './read-attachment.ts';
import { boundSeen, endSeen } from './see-upload.ts';

/** Claims the idempotency key, reads the file and accepts the run. If this throws, no file, run or reservation is left. */
export async function createWithFile(
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
  const model = chooseModel(deps, request.body);
  const { body } = request;
  const maxNanoEuro = capOf(deps, body);
  const contextTokens = model ? contextOf(model) : 0;
  const asked = {
    ...requester,
    payer,
    body,
    contextTokens,
    maxNanoEuro,
  };
  const drop = async (dropped: Upload, reason?: unknown) => {
    // A file that was given up may be taken by another request at once, which keeps its material under the same name.
    await Promise.allSettled([dropUploadMaterial(deps.files, dropped.agentId)]);
    await dropped.drop(reason);
  };
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
    checkModels(principal, modelsFor(deps, principal, { ...request, upload }));
    // A file may take a minute to arrive, and another to be read.
    await requireKeyStill(deps, principal);
    // What an image says is not known yet, and its run must be able to begin before a model is asked about it.
    const isSeen = upload.kind.kind === 'image';
    if (isSeen)
      credits = await setAsideFirst(
        deps,
        principal,
        prepared,
        seenText,
        boundSeen(see, request.body.question),
      );
    const { reservation } = credits;
    const kept = keepReservation(deps.accounts, reservation, async () => undefined);
    const read = await readAttachment(deps, upload, { ...asked, reservation }).finally(kept.stop);
    owed = read.owed;
    await requireKeyStill(deps, principal);
    const { attachment } = read;
    const material = attachment.kind === 'document' ? attachment.text : '';
    if (!isSeen) credits = await setAsideFirst(deps, principal, prepared, material);
    const file = { agentId: upload.agentId, upload, ...read };
    const accepted = await acceptRequest(
      deps,
      { ...requester, credits },
      { ...prepared, ...(claim && { idempotency: claim }) },
      file,
    );
    if (accepted.agentId !== upload.agentId) {
      await drop(upload);
      await endSeen(see, { ...asked, reservation }, owed, false);
    }
    return accepted;
  } catch (error) {
    // Each is tried, whatever becomes of the others. What stays ends by itself.
    await Promise.allSettled([
      releaseReservation(deps, credits.reservation),
      endSeen(see, { ...asked, reservation: undefined }, owed, isDomainError(error, 'unauthorized')),
      upload && drop(upload, error),
      giveUpClaim(deps, principal, claim),
    ]);
    throw error;
  }
}

/** As much as a description of an image may have, for the bound of a completion that reads it. */
const seenText = ' seen'.repeat(limits.outputTokensPerCompletion);

/** Sets the run's first completion aside, with what its file costs before, in one: requests that come at once share what there is. */
async function setAsideFirst(
  deps: CreateRunDeps,
  principal: Principal,
  { request, skill }: PreparedRun,
  material: string,
  before?: CostBound,
): Promise<Credits> {
  const first = await firstCompletion(deps, request.body, { skill, material }, before);
  return reserve(deps.accounts, principal, first);
}
