import { DomainError, describeError, type Log } from '@errand/platform';

/** Does a piece of work with the bucket; what the bucket fails with becomes `storage_unavailable`. */
export async function withStorage<T>(deps: { log: Log }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    deps.log.error('file storage failed', describeError(error));
    throw new DomainError('storage_unavailable');
  }
}

/** Deletes an object that nobody will read. What cannot be deleted now goes by the bucket's lifecycle rule. */
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
