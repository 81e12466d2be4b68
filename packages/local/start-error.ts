import { isAwsTrouble } from '@errand/platform';

/** The service cannot start. The message is for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Codes of the operating system, and what they say of a file. */
const reasons: Record<string, string> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'its file system cannot be written',
  EISDIR: 'it is a folder, and should be a file',
  ENOTDIR: 'it is a file, and should be a folder',
  EEXIST: 'it is a file, and should be a folder',
  ELOOP: 'its links lead nowhere',
  EIO: 'its disk fails',
};

/** No room for another byte, or for another file, or for more of this user's. SQLite and the embedded DynamoDB say it in words. */
const fullDisk = /\b(ENOSPC|EDQUOT)\b|database or disk is full/;

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && fullDisk.test(`${(error as NodeJS.ErrnoException).code} ${error.message}`);

/** A sentence for what stopped a start. Errors that are no fault of the machine are returned as they are. */
export function toStartError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (isDiskFull(error))
    return new StartError(
      `The disk of the data folder ${dataDir} is full (ENOSPC). Make room and start again.`,
    );
  if (path !== undefined && code in reasons)
    return new StartError(`${path} cannot be used (${code}): ${reasons[code]}.`);
  if (isAwsTrouble(error))
    return new StartError(
      `The store of ${dataDir} does not answer (${code || error.name}). Start again once it runs.`,
    );
  return error;
}
