import {
  DomainError,
  describeError,
  fieldIssue,
  isDomainError,
  newUuid,
  type Principal,
  toSeconds,
} from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import { fileKind } from './file-kind.ts';
import { closeUploadWrite } from './open-uploads-store.ts';
import { discard, withStorage } from './storage/storage.ts';
import { type Claim, claimUpload, releaseUpload } from './store.ts';
import { requireUploads, type Upload, uploadKey } from './upload.ts';
import { type AnnouncedUpload, readUploadId } from './upload-id.ts';

/**
 * Takes the file that was uploaded with this id for the one run that may use it. `invalid_request` says whether the id
 * is not known, has expired, was used, or has no file yet; `queue_unavailable` means that another request with the same
 * `repetition` has the file now. A file that is dropped can be taken again, unless its content was refused.
 */
export async function takeUpload(
  deps: UploadDeps,
  principal: Principal,
  uploadId: string,
  repetition?: string,
): Promise<Upload> {
  requireUploads(deps);
  const announced = readUploadId(deps.uploads.linkSecret, principal.accountId, uploadId);
  if (!announced) throw fieldIssue('uploadId', 'is not known');
  const { agentId, filename, bytes, expiresAtSeconds } = announced;
  if (toSeconds(deps.clock()) >= expiresAtSeconds) throw fieldIssue('uploadId', 'has expired');
  const kind = fileKind(filename, { conversionEnabled: deps.uploads.documentConversionEnabled });
  const key = uploadKey(agentId, filename);
  const claimant = newUuid();
  await claim(deps, announced, { claimant, repetition });
  try {
    const size = await withStorage(deps, () => deps.files.size(key));
    if (size === undefined) throw fieldIssue('uploadId', 'has no file yet: upload it to its url first');
    if (size !== bytes) throw fieldIssue('uploadId', 'has a file of another size than was announced');
  } catch (error) {
    await release(deps, agentId, claimant);
    throw error;
  }
  const drop = async (reason?: unknown) => {
    if (isDomainError(reason, 'upload_unreadable') && !reason.details.temporary) await discard(deps, key);
    await release(deps, agentId, claimant);
  };
  const taken = closeUploadWrite(deps, principal.accountId, announced);
  return { agentId, key, filename, kind, drop, taken };
}

async function claim(deps: UploadDeps, announced: AnnouncedUpload, ours: Claim): Promise<void> {
  const taken = await claimUpload(deps, announced, ours);
  if (!taken) return;
  if (ours.repetition !== undefined && taken.repetition === ours.repetition)
    throw new DomainError('queue_unavailable');
  throw fieldIssue('uploadId', 'was used already');
}

/** Never throws: if this fails, the caller has to upload the file again, and nothing else is lost. */
async function release(deps: UploadDeps, agentId: string, claimant: string): Promise<void> {
  try {
    await releaseUpload(deps, agentId, claimant);
  } catch (error) {
    deps.log.warn('upload not given back', describeError(error));
  }
}
