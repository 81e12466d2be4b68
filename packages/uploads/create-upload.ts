import { DomainError, fieldIssue, limits, newUuid, type Principal, toIso, toSeconds } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import { fileKind } from './file-kind.ts';
import { shownName } from './file-name.ts';
import { openUpload } from './open-upload.ts';
import type { CreateUploadBody, UploadTicket } from './schema.ts';
import { withStorage } from './storage/storage.ts';
import { requireUploads, uploadKey } from './upload.ts';
import { makeUploadId } from './upload-id.ts';

/**
 * Makes a link that takes exactly this file, and an id to create a run with it. Throws `too_many_uploads` if the account
 * has `limits.openUploads` of them.
 */
export async function createUpload(
  deps: UploadDeps,
  principal: Principal,
  { filename: sentName, size: bytes }: CreateUploadBody,
): Promise<UploadTicket> {
  requireUploads(deps);
  const filename = shownName(sentName);
  if (filename === '') throw fieldIssue('filename', 'must be a file name');
  const { contentType, limitBytes } = fileKind(filename, {
    conversionEnabled: deps.uploads.documentConversionEnabled,
  });
  if (bytes > limitBytes) throw new DomainError('upload_too_large', { filename, limitBytes });
  const now = deps.clock();
  const agentId = newUuid();
  const expiresInSeconds = limits.uploadLinkSeconds;
  const url = await withStorage(deps, () =>
    deps.files.presignPut(uploadKey(agentId, filename), { expiresInSeconds, bytes, contentType }),
  );
  const expiresAtSeconds = toSeconds(now) + limits.uploadUsableSeconds;
  const announced = { agentId, filename, bytes, expiresAtSeconds };
  await openUpload(deps, principal.accountId, announced);
  return {
    uploadId: makeUploadId(deps.uploads.linkSecret, principal.accountId, announced),
    url,
    method: 'PUT',
    headers: { 'Content-Type': contentType, 'Content-Length': String(bytes) },
    expiresAt: toIso(now + expiresInSeconds * 1000),
  };
}
