import { DomainError, limits, toSeconds } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import { addOpenUpload, expiryOf, forgetOpenUploads, nameOf } from './open-uploads-store.ts';
import type { AnnouncedUpload } from './upload-id.ts';

/**
 * Counts a new upload among the account's open ones: those that no run has taken and that have not expired. One
 * that would be open for longer than uploads are was counted before the clock went back, and counts no more. Throws
 * `too_many_uploads` if there are `limits.openUploads` already.
 */
export async function openUpload(
  deps: UploadDeps,
  accountId: string,
  upload: AnnouncedUpload,
): Promise<void> {
  for (;;) {
    const refusing = await addOpenUpload(deps, accountId, upload);
    if (!refusing || refusing.includes(nameOf(upload))) return;
    const nowSeconds = toSeconds(deps.clock());
    const isOpen = (seconds: number) => seconds > 0 && seconds <= limits.uploadUsableSeconds;
    const expired = refusing.filter((name) => !isOpen(expiryOf(name) - nowSeconds));
    if (expired.length === 0) {
      const retryAfterSeconds = Math.min(...refusing.map(expiryOf)) - nowSeconds;
      throw new DomainError('too_many_uploads', { limit: limits.openUploads, retryAfterSeconds });
    }
    await forgetOpenUploads(deps, accountId, expired);
  }
}
