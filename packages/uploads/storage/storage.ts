import { DomainError, describeError, type Log } from '@errand/platform';

/**
 * Does work that uses the bucket. Every error that is not a `DomainError` becomes `storage_unavailable`, unless the work was
 * broken off by its signal: that is no failure of the bucket.
 */
export async function withStorage<T>(
  deps: { log: Log },
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError || signal?.aborted) throw error;
    deps.log.error('file storage failed', describeError(error));
    throw new DomainError('storage_unavailable');
  }
}

/** Deletes an object that nobody will read. If that fails, the bucket's lifecycle rule deletes it later. */
export async function discard(
  deps: { log: Log; files: { delete(key: string): Promise<void> } },
  key: string,
): Promise<void> {
  try {
    await deps.files.delete(key);
  } catch (error) {
    deps.log.warn('upload could not be deleted', describeError(error));
  }
}
