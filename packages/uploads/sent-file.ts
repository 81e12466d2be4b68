import { DomainError, fieldIssue, newUuid } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import { type FileKind, fileKind } from './file-kind.ts';
import { shownName } from './file-name.ts';
import { discard, withStorage } from './storage/storage.ts';
import { requireUploads, type Upload, uploadKey } from './upload.ts';

/** A file that came with a request, and may be stored. */
export interface CheckedFile {
  filename: string;
  kind: FileKind;
}

/** Throws if no run can have such a file. `field` names the request's field that has it, `bytes` are at least as many as it has. */
export function checkFile(
  deps: UploadDeps,
  { filename: sentName, field, bytes }: { filename: string; field: string; bytes: number },
): CheckedFile {
  const filename = shownName(sentName);
  if (filename === '') throw fieldIssue(field, 'must have a file name');
  const kind = fileKind(filename, { conversionEnabled: deps.uploads.documentConversionEnabled });
  const { limitBytes } = kind;
  if (bytes > limitBytes) throw new DomainError('upload_too_large', { filename, limitBytes });
  return { filename, kind };
}

export function uploadOf(deps: UploadDeps, agentId: string, { filename, kind }: CheckedFile): Upload {
  const key = uploadKey(agentId, filename);
  return { agentId, key, filename, kind, drop: () => discard(deps, key) };
}

/** A file whose bytes came within a request: the upload for its run, once `store` has put it into the bucket. */
export function uploadBytes(
  deps: UploadDeps,
  { filename, bytes, field }: { filename: string; bytes: Uint8Array; field: string },
): { upload: Upload; store(): Promise<void> } {
  requireUploads(deps);
  const checked = checkFile(deps, { filename, field, bytes: bytes.byteLength });
  if (bytes.byteLength === 0) throw fieldIssue(field, 'is empty');
  const upload = uploadOf(deps, newUuid(), checked);
  const { key } = upload;
  const { contentType } = checked.kind;
  return { upload, store: () => withStorage(deps, () => deps.files.put(key, bytes, contentType)) };
}

/** The file of an earlier run as the upload of a new one, once `store` has copied it from `key`. */
export function copyUpload(
  deps: UploadDeps,
  { filename, key }: { filename: string; key: string },
): { upload: Upload; store(): Promise<void> } {
  const kind = fileKind(filename, { conversionEnabled: deps.uploads.documentConversionEnabled });
  const upload = uploadOf(deps, newUuid(), { filename, kind });
  const copy = async () => {
    const bytes = await deps.files.size(key);
    const isCopied = bytes !== undefined && (await deps.files.copy(key, upload.key, { bytes }));
    if (!isCopied)
      throw new DomainError('upload_unreadable', {
        reason: 'The recording is gone: it has expired, or another run has taken it over. Send it again.',
      });
  };
  return { upload, store: () => withStorage(deps, copy) };
}
